// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "fuzz/fuzzing.hpp"
#include "fuzz/stages.hpp"
#include <sluice/pipeline/check_structure.hpp>
#include <sluice/pipeline/read_description.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::fuzz {

// What is wrong with a description; empty if nothing is.
inline std::vector<pipeline::problem> judge(
    std::string_view text,
    const std::vector<pipeline::description_override>& overrides,
    const pipeline::parameter_lookup& parameters = {}
)
{
    try {
        const auto checked =
            pipeline::read_description(text, stages(), overrides, parameters);
        const pipeline::pipeline_description& description = checked.description();
        require(
            pipeline::check_structure(description, stages()).empty(),
            "what is accepted has a right structure"
        );
        try {
            (void)pipeline::checked_description(description, stages());
        } catch (const pipeline::description_error&) {
            require(false, "what is accepted is accepted again");
        }
        return {};
    } catch (const pipeline::description_error& error) {
        require(!error.problems().empty(), "what is refused has a mistake");
        return error.problems();
    }
}

// Whether the pointer leads to a place in the document.
inline bool is_place(const nlohmann::json& document, const std::string& pointer)
{
    return document.contains(nlohmann::json::json_pointer(pointer));
}

// Each problem says something, in a line of its own.
inline void check_words(const std::vector<pipeline::problem>& problems)
{
    require(
        std::ranges::is_sorted(problems, {}, &pipeline::problem::line),
        "mistakes are in the order of the file"
    );
    for (const pipeline::problem& mistake : problems) {
        require(!mistake.found.empty(), "a mistake says what is there");
        require(!mistake.expected.empty(), "a mistake says what should be there");
        require(
            std::ranges::none_of(
                to_string(mistake),
                [](char c) { return static_cast<unsigned char>(c) < ' '; }
            ),
            "a mistake is one line"
        );
    }
}

}  // namespace sluice::fuzz
