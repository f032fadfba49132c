// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/pipeline_snapshot.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sluice::cli {

// How large a display may be.
struct display_size
{
    std::size_t columns = 80;
    std::size_t lines = 24;
};

// The state of a pipeline for a person: a line for each queue and for each runner, and one
// for all of it at the end. `before` is an earlier snapshot, which rates are computed
// since, or null for rates since the start. Lines that do not fit are left out, the last
// one never.
[[nodiscard]] std::vector<std::string> display_lines(
    const pipeline::pipeline_snapshot& now,
    const pipeline::pipeline_snapshot* before,
    display_size size
);

// The same in one line, for logs.
[[nodiscard]] std::string plain_line(
    const pipeline::pipeline_snapshot& now,
    const pipeline::pipeline_snapshot* before
);

}  // namespace sluice::cli
