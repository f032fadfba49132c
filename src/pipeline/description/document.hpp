// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/problem.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline::detail {

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

    // The value with its members, but these without their own: what their types are.
    [[nodiscard]] nlohmann::json outline() const;

    // The whole value.
    [[nodiscard]] nlohmann::json to_json() const;
};

// How deep arrays and objects may be nested: those who walk a document need stack for it.
constexpr std::size_t deepest_nesting = 100;

// Reads a JSON text. Mistakes are added to the problems; empty if there is no whole value.
[[nodiscard]] std::optional<document_node> parse_document(
    std::string_view text,
    std::vector<problem>& problems
);

// A place in a document.
struct document_place
{
    std::size_t line = 0;
    std::string pointer;
};

// Where `pointer` leads to below `from`, as far as the document goes.
[[nodiscard]] document_place locate(
    const document_node& from,
    const std::string& pointer_of_from,
    std::string_view pointer
);

// The steps of a JSON pointer, unescaped; empty if it is none.
[[nodiscard]] std::optional<std::vector<std::string>> pointer_steps(
    std::string_view pointer
);

// The index that a step means in an array, or nothing.
[[nodiscard]] std::optional<std::size_t> array_index(std::string_view step);

}  // namespace sluice::pipeline::detail
