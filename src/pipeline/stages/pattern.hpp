// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/regex.hpp>

#include <string>
#include <vector>

namespace sluice::pipeline {

// A regular expression as in Perl. Throws option_error with the name of the option if it is
// none.
[[nodiscard]] boost::regex make_pattern(const std::string& written, const char* option);

// Searches a text for a pattern, or replaces it: what the engine gives up on becomes an error
// that names both.
[[nodiscard]] bool is_found(const boost::regex& pattern, const std::string& text);
[[nodiscard]] bool find(
    const boost::regex& pattern,
    const std::string& text,
    boost::smatch& found
);
[[nodiscard]] std::string replace_all(
    const boost::regex& pattern,
    const std::string& text,
    const std::string& with
);

// The names of its groups, such as "year" of "(?<year>[0-9]+)", in the order of their
// beginnings.
[[nodiscard]] std::vector<std::string> group_names(const std::string& written);

}  // namespace sluice::pipeline
