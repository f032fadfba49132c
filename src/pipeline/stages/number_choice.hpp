// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/parse_json.hpp"
#include "pipeline/words.hpp"
#include <sluice/pipeline/json_value.hpp>
#include <sluice/pipeline/stage_options.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

// Which of the parts of a text that have names become numbers: the option "numbers".
class number_choice
{
public:
    // Throws option_error if this is neither a flag nor an array of names out of `known`.
    number_choice(const nlohmann::json& numbers, const std::vector<std::string>& known)
    {
        if (numbers.is_boolean()) {
            all_ = numbers.get<bool>();
            return;
        }
        const auto is_known = [&known](const nlohmann::json& name) {
            return name.is_string() &&
                   std::ranges::find(known, name.get<std::string>()) != known.end();
        };
        if (!numbers.is_array() || !std::ranges::all_of(numbers, is_known))
            throw option_error(
                "numbers",
                detail::in_json(numbers),
                known.empty()
                    ? R"(true or false, because there are no "columns" to be named)"
                    : "true, false or an array of names out of " + detail::one_of(known)
            );
        names_ = numbers.get<std::vector<std::string>>();
    }

    // Whether what is a number in this one becomes one.
    [[nodiscard]] bool includes(const std::string& name) const
    {
        return all_ || std::ranges::find(names_, name) != names_.end();
    }

    // A number if that was asked for and the text is one; else the text.
    [[nodiscard]] json_value value_of(const std::string& name, std::string text) const
    {
        if (includes(name))
            return number_or_text(std::move(text));
        return text;
    }

private:
    bool all_ = false;
    std::vector<std::string> names_;
};

}  // namespace sluice::pipeline
