// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/document.hpp"
#include "pipeline/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace sluice::pipeline::detail {

namespace {

void forget_lines(document_node& node)
{
    node.line = 0;
    for (document_node& member : node.members)
        forget_lines(member);
}

// A JSON text, or else a string as it is: `4` and `"4"` differ, `5s` needs no quotes.
document_node value_of(const std::string& text)
{
    std::vector<problem> ignored;
    auto parsed = parse_document(text, ignored);
    if (!parsed || !ignored.empty())
        return {.value = text};
    forget_lines(*parsed);
    return std::move(*parsed);
}

document_node& member_of_object(document_node& object, const std::string& name)
{
    const auto found = std::ranges::find(object.members, name, &document_node::name);
    return found != object.members.end()
               ? *found
               : object.members.emplace_back(document_node{.name = name});
}

// Whether a member of an object is this text.
bool has_text(const document_node& object, const char* member, const std::string& text)
{
    const document_node* const found = object.find(member);
    return found != nullptr && found->value == text;
}

// The only runner of this name in an array of them, or else the only one of this stage; null
// if there is none.
document_node* find_named(document_node& array, const std::string& name)
{
    for (const char* const member : {"name", "stage"}) {
        const auto is_meant = [&](const document_node& each) {
            return each.value.is_object() && has_text(each, member, name);
        };
        const auto found = std::ranges::find_if(array.members, is_meant);
        if (found != array.members.end() &&
            std::ranges::count_if(array.members, is_meant) == 1)
            return &*found;
    }
    return nullptr;
}

// The place one step below, made if it is new; null if there can be none.
document_node* step_into(document_node& node, const std::string& step)
{
    if (node.value.is_null() && node.line == 0)
        node.value = nlohmann::json::object();  // made on the way
    if (node.value.is_object())
        return &member_of_object(node, step);
    if (!node.value.is_array())
        return nullptr;
    if (document_node* const named = find_named(node, step))
        return named;
    const std::size_t size = node.members.size();
    const std::size_t index = step == "-" ? size : array_index(step).value_or(size + 1);
    if (index > size)
        return nullptr;
    return index == size ? &node.members.emplace_back() : &node.members[index];
}

// Where the steps lead to; null, with a problem, if nowhere.
document_node* walk(
    document_node& root,
    const std::vector<std::string>& steps,
    const std::string& pointer,
    std::vector<problem>& problems
)
{
    document_node* node = &root;
    for (const std::string& step : steps) {
        document_node* const next = step_into(*node, step);
        if (next == nullptr) {
            const std::string what =
                node->value.is_array()
                    ? fmt::format("an array of {} elements", node->members.size())
                    : in_words(node->value);
            problems.push_back(
                {.pointer = pointer,
                 .found = fmt::format("{}, which has no {}", what, in_quotes(step)),
                 .expected =
                     "a pointer to a member, or \"-\" for a new one at the end of an "
                     "array"}
            );
            return nullptr;
        }
        node = next;
    }
    return node;
}

}  // namespace

void override_document(
    document_node& root,
    const std::string& pointer,
    const std::string& value,
    std::vector<problem>& problems
)
{
    const auto steps = pointer_steps(pointer);
    if (!steps || steps->empty() || steps->size() > deepest_nesting) {
        problems.push_back(
            {.pointer = pointer,
             .found = in_quotes(pointer) + " to be set",
             .expected = R"(a JSON pointer such as "/runners/0/workers")"}
        );
        return;
    }
    if (document_node* const node = walk(root, *steps, pointer, problems)) {
        document_node replacement = value_of(value);
        replacement.name = std::move(node->name);
        *node = std::move(replacement);
    }
}

}  // namespace sluice::pipeline::detail
