// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/redis/redis_administration.hpp>

#include <cstddef>
#include <string>
#include <vector>

// How `sluice queues` shows queues.
namespace sluice::cli {

// A table, a line for each queue below the names of the columns. On a narrow terminal the figures
// that change least are left out, and of long names the end is shown: those of a pipeline begin
// alike.
[[nodiscard]] std::vector<std::string> table_of(
    const std::vector<redis::queue_info>& queues,
    std::size_t columns
);

// An array with an object for each queue, with a newline at the end. An indent below 0 gives
// one line. Bytes of a name that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string json_of(
    const std::vector<redis::queue_info>& queues,
    int indent
);

// A table of elements that were looked at, a line for each below the names of the columns. What is
// no element of a pipeline is a text.
[[nodiscard]] std::vector<std::string> table_of(
    const std::vector<redis::peeked_element>& elements
);

// An object in a line for each of them.
[[nodiscard]] std::string json_lines_of(const std::vector<redis::peeked_element>& elements
);

}  // namespace sluice::cli
