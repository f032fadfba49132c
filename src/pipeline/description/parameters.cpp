// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/parameters.hpp"

#include "pipeline/words.hpp"

#include <boost/regex.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>

namespace sluice::pipeline::detail {

namespace {

constexpr const char* name_pattern = "[A-Za-z_][A-Za-z0-9_]*";

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
        static const boost::regex parameter(
            fmt::format(R"(\$(\$?)\{{({})\}})", name_pattern)
        );
        std::string result;
        auto rest = text.begin();
        for (boost::sregex_iterator at(text.begin(), text.end(), parameter), end;
             at != end;
             ++at) {
            const boost::smatch& found = *at;
            result.append(rest, found[0].first);
            rest = found[0].second;
            if (found[1].length() > 0)
                result += "${" + found[2].str() + "}";
            else
                result += value_of(found[2].str(), node, pointer);
        }
        return result.append(rest, text.end());
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
    return boost::regex_match(text, boost::regex(name_pattern));
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
