// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/problem.hpp>
#include <sluice/pipeline/read_description.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline::detail {

// How deep arrays and objects may be nested: a walk through a document needs stack for it.
constexpr std::size_t deepest_nesting = 100;

// No reader wants more, and each takes memory.
constexpr std::size_t most_problems = 1000;

// Where a value is in the text.
struct place
{
    std::size_t line = 0;   // from 1; 0 if it does not stem from the text
    std::size_t order = 0;  // of the values that there are
    std::map<std::string, place> members = {};  // by name, or by index
};

// A JSON text that is read.
struct document
{
    nlohmann::json values = nullptr;
    place root = {};
    std::size_t count = 0;  // of the places so far

    // Replaces or adds a value, and objects on the way to it. What is new has line 0. If it
    // cannot be done, the problem says why.
    void set(const description_override& change, std::vector<problem>& problems);

    // Replaces ${NAME} in all strings by the value of that parameter, and $${NAME} by ${NAME}.
    // A parameter without a value is a problem. Other dollars stay as they are.
    void replace_parameters(
        const parameter_lookup& lookup,
        std::vector<problem>& problems
    );

    // The names in a member of the document, in the order of the text.
    [[nodiscard]] std::vector<std::string> names_in(const std::string& member) const;

    // Gives a problem the line of its place, as far as the document goes, and the pointer to that.
    void locate(problem& mistake) const;
};

// Mistakes are added to the problems; empty if there is no whole value.
[[nodiscard]] std::optional<document> parse_document(
    std::string_view text,
    std::vector<problem>& problems
);

// The steps of a JSON pointer, unescaped; empty if it is none.
[[nodiscard]] std::optional<std::vector<std::string>> pointer_steps(
    const std::string& pointer
);

// Whether ${text} is a parameter.
[[nodiscard]] bool is_parameter_name(std::string_view text);

}  // namespace sluice::pipeline::detail
