// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "command_line.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The values of options, from what is given on a command line. What makes no sense is refused with
// a CLI::ValidationError, before which CLI11 puts the name of the option.
namespace sluice::cli {

// The place of a name among those that are known.
[[nodiscard]] std::size_t parse_choice(
    const std::string& given,
    const std::vector<std::string>& known
);

// NAME=VALUE, of which the name is a JSON pointer.
[[nodiscard]] pipeline::description_override parse_override(const std::string& given);

// NAME=VALUE, of which the name is that of a parameter.
[[nodiscard]] std::pair<std::string, std::string> parse_parameter(const std::string& given
);

// One that is not empty, as a variable of a shell is that is not set.
[[nodiscard]] std::string parse_name(const std::string& given);

// With commas between them.
[[nodiscard]] std::vector<std::string> parse_names(const std::string& given);

[[nodiscard]] report_arguments parse_report(const std::string& given);

[[nodiscard]] std::chrono::nanoseconds parse_limit(const std::string& given);

// A limit; the longest one for `forever`.
[[nodiscard]] std::chrono::nanoseconds parse_linger(const std::string& given);

// Above 0.
[[nodiscard]] std::size_t parse_count(const std::string& given);

// As a client writes it into `Host`, but for the port.
[[nodiscard]] std::string parse_host_name(const std::string& given);

// PORT, ADDRESS:PORT or [ADDRESS]:PORT, into the arguments of the page.
void parse_serve(const std::string& given, serve_arguments& result);

}  // namespace sluice::cli
