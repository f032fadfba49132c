// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

// A regular expression as in Perl. In a text that is UTF-8 it finds characters, so that no match
// begins or ends inside of one. In any other text it finds bytes.
//
// What the engine gives up on becomes an error that names the pattern and the text.
class pattern
{
public:
    // Throws option_error with the name of the option if it is none, or if this program was built
    // without the engine.
    pattern(const std::string& written, const char* option);

    // The names of its groups, such as "year" of "(?<year>[0-9]+)", each once, in the order of
    // their beginnings.
    [[nodiscard]] const std::vector<std::string>& names() const noexcept
    {
        return names_;
    }

    [[nodiscard]] bool is_found(std::string_view text) const;

    // Whether it is found; then `found` has what each of the names matched, in their order, as
    // parts of the text. The data of one that did not match are null. Of groups of one name it is
    // the first that matched.
    [[nodiscard]] bool find(std::string_view text, std::vector<std::string_view>& found)
        const;

    // Throws option_error with the name of the option for a `with` that replace_all() cannot use.
    static void expect_replacement(const std::string& with, const char* option);

    // In `with` $1 and ${year} stand for groups, $$ for $, and \\ for \.
    [[nodiscard]] std::string replace_all(std::string_view text, const std::string& with)
        const;

private:
    class engine;

    std::shared_ptr<const engine> engine_;  // shared by the workers
    std::vector<std::string> names_;
};

}  // namespace sluice::pipeline
