// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/problem.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline::detail {

// How deep arrays and objects may be nested: a walk through a document needs stack for it.
constexpr std::size_t deepest_nesting = 100;

// No reader wants more, and each takes memory.
constexpr std::size_t most_problems = 1000;

// A JSON value that knows its line. Objects keep the order of the file, and names that occur
// twice.
struct document_node
{
    // From 1; 0 if it does not stem from the file.
    std::size_t line = 0;
    // The name of a member of an object.
    std::string name = {};
    // A string, number, true, false or null; empty in an object or array.
    nlohmann::json value = nullptr;
    // The members of an object or array.
    std::vector<document_node> members = {};

    // The member of an object, or null.
    [[nodiscard]] const document_node* find(std::string_view member) const;

    // The member that a step of a JSON pointer, already unescaped, leads to, or null.
    [[nodiscard]] const document_node* step(std::string_view name_or_index) const;

    // The value with its members down to this depth; deeper ones are left out.
    [[nodiscard]] nlohmann::json to_json(
        std::size_t depth = std::numeric_limits<std::size_t>::max()
    ) const;
};

// Reads a JSON text. Mistakes are added to the problems; empty if there is no whole value.
[[nodiscard]] std::optional<document_node> parse_document(
    std::string_view text,
    std::vector<problem>& problems
);

// Replaces or adds a value, and objects on the way to it. What is new has line 0. If it cannot
// be done, the problem says why.
void override_document(
    document_node& root,
    const std::string& pointer,
    const std::string& value,
    std::vector<problem>& problems
);

// Gives a problem the line of its place, as far as the document goes, and the pointer to that.
void locate(const document_node& root, problem& mistake);

// The steps of a JSON pointer, unescaped; empty if it is none.
[[nodiscard]] std::optional<std::vector<std::string>> pointer_steps(
    const std::string& pointer
);

// The index that a step means in an array, or nothing.
[[nodiscard]] std::optional<std::size_t> array_index(std::string_view step);

}  // namespace sluice::pipeline::detail
