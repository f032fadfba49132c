// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/parameters.hpp"

#include "pipeline/words.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>

namespace sluice::pipeline::detail {

namespace {

bool begins_name(char c) noexcept
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_in_name(char c) noexcept
{
    return begins_name(c) || text::is_digit(c);
}

class replacement
{
public:
    replacement(const parameter_lookup& values, std::vector<problem>& problems)
        : values_(values), problems_(problems)
    {
    }

    void replace_in(document_node& node, const std::string& pointer)
    {
        if (node.value.is_string())
            node.value =
                replaced(node.value.get_ref<const std::string&>(), node, pointer);
        const bool is_array = node.value.is_array();
        for (std::size_t i = 0; i < node.members.size(); ++i) {
            document_node& member = node.members[i];
            replace_in(
                member,
                pointer + (is_array ? fmt::format("/{}", i) : pointer_step(member.name))
            );
        }
    }

private:
    std::string replaced(
        const std::string& text,
        const document_node& node,
        const std::string& pointer
    )
    {
        std::string result;
        std::string_view rest = text;
        for (auto at = rest.find("${"); at != rest.npos; at = rest.find("${")) {
            const std::string_view behind = rest.substr(at + 2);
            const std::string name(behind.substr(0, behind.find('}')));
            if (name.size() == behind.size() || !is_parameter_name(name)) {
                result += rest.substr(0, at + 2);
                rest = behind;
                continue;
            }
            const bool is_doubled = at > 0 && rest[at - 1] == '$';
            result += rest.substr(0, is_doubled ? at - 1 : at);
            result += is_doubled ? "${" + name + "}" : value_of(name, node, pointer);
            rest = behind.substr(name.size() + 1);
        }
        return result.append(rest);
    }

    std::string value_of(
        const std::string& name,
        const document_node& node,
        const std::string& pointer
    )
    {
        if (auto value = values_(name))
            return *std::move(value);
        problems_.push_back(
            {.line = node.line,
             .pointer = pointer,
             .found = fmt::format("${{{}}}, which has no value", name),
             .expected = "a parameter or a variable of the environment of that name",
             .hint = fmt::format("write $${{{}}} if this is no parameter", name)}
        );
        return {};
    }

    const parameter_lookup& values_;
    std::vector<problem>& problems_;
};

}  // namespace

bool is_parameter_name(const std::string& text)
{
    return !text.empty() && begins_name(text.front()) &&
           std::ranges::all_of(text, is_in_name);
}

void replace_parameters(
    document_node& root,
    const parameter_lookup& values,
    std::vector<problem>& problems
)
{
    replacement(values, problems).replace_in(root, "");
}

}  // namespace sluice::pipeline::detail
