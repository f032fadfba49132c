// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/data/value_view.hpp"
#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

// Which of the parts of a text that have names become numbers: the option "numbers".
class number_choice
{
public:
    // None does.
    number_choice() = default;

    // Throws option_error if this is neither a flag nor an array of names out of `known`.
    number_choice(const nlohmann::json& numbers, const std::vector<std::string>& known)
        : all_(numbers == true), chosen_(known.size())
    {
        for (const std::string& name : names_in(numbers)) {
            const auto found = std::ranges::find(known, name);
            if (found == known.end())
                throw option_error(
                    "numbers",
                    detail::in_json(numbers),
                    known.empty()
                        ? R"(true or false, because there are no "columns" to be named)"
                        : "true, false or an array of names out of " +
                              detail::one_of(known)
                );
            chosen_[static_cast<std::size_t>(found - known.begin())] = 1;
        }
    }

    // The names in the option; none in a flag. Throws option_error if it is neither.
    [[nodiscard]] static std::vector<std::string> names_in(const nlohmann::json& numbers)
    {
        const bool are_names = numbers.is_array() &&
                               std::ranges::all_of(numbers, &nlohmann::json::is_string);
        if (!are_names && !numbers.is_boolean())
            throw option_error(
                "numbers",
                detail::in_json(numbers),
                "true, false or an array of names"
            );
        return are_names ? numbers.get<std::vector<std::string>>()
                         : std::vector<std::string>();
    }

    // The part of that index: a number if that was asked for and the text is one; else the text.
    [[nodiscard]] field field_of(std::size_t index, std::string_view text) const
    {
        const bool is_chosen = all_ || (index < chosen_.size() && chosen_[index] != 0);
        const bool is_number = is_chosen && number::parse(text);
        return {text, is_number ? field_form::json : field_form::text};
    }

private:
    bool all_ = false;
    std::vector<unsigned char> chosen_;  // flags, asked for each field
};

}  // namespace sluice::pipeline
