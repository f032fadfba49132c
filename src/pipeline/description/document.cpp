// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/document.hpp"

#include "pipeline/words.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace sluice::pipeline::detail {

const document_node* document_node::find(std::string_view member) const
{
    const auto found = std::ranges::find(members, member, &document_node::name);
    return found == members.end() ? nullptr : &*found;
}

const document_node* document_node::step(std::string_view name_or_index) const
{
    if (value.is_object())
        return find(name_or_index);
    const auto index = value.is_array() ? array_index(name_or_index) : std::nullopt;
    return index && *index < members.size() ? &members[*index] : nullptr;
}

nlohmann::json document_node::to_json(std::size_t depth) const
{
    nlohmann::json json = value;
    if (depth == 0)
        return json;
    for (const document_node& member : members) {
        if (value.is_object())
            json.emplace(member.name, member.to_json(depth - 1));
        else
            json.push_back(member.to_json(depth - 1));
    }
    return json;
}

void locate(const document_node& root, problem& mistake)
{
    const auto steps =
        pointer_steps(mistake.pointer).value_or(std::vector<std::string>());
    const document_node* node = &root;
    mistake.line = node->line;
    mistake.pointer.clear();
    for (const std::string& step : steps) {
        node = node->step(step);
        if (node == nullptr)
            break;
        mistake.line = node->line;
        mistake.pointer += pointer_step(step);
    }
}

std::optional<std::vector<std::string>> pointer_steps(const std::string& pointer)
{
    try {
        std::vector<std::string> steps;
        nlohmann::json::json_pointer rest(pointer);
        for (; !rest.empty(); rest.pop_back())
            steps.push_back(rest.back());
        std::ranges::reverse(steps);
        return steps;
    } catch (const nlohmann::json::parse_error&) {
        return std::nullopt;
    }
}

std::optional<std::size_t> array_index(std::string_view step)
{
    std::size_t index = 0;
    const char* const end = step.data() + step.size();
    const auto result = std::from_chars(step.data(), end, index);
    const bool leading_zero = step.size() > 1 && step.front() == '0';
    if (result.ec != std::errc() || result.ptr != end || leading_zero)
        return std::nullopt;
    return index;
}

}  // namespace sluice::pipeline::detail
