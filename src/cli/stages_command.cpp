// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "commands.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace sluice::cli {

using pipeline::option_info;
using pipeline::option_type;
using pipeline::stage_registry;
using pipeline::stage_type;

namespace {

// In the order of the enumerators.
const char* name_of(option_type type) noexcept
{
    constexpr const char* names[] =
        {"text", "texts", "integer", "number", "flag", "duration", "size", "any JSON"};
    return names[static_cast<std::size_t>(type)];
}

// Its type, default and limits.
std::string facts_about(const option_info& option)
{
    const auto& [minimum, maximum, choices, needs, needed_text] = option.limits;
    std::string facts = name_of(option.type);
    if (option.required)
        facts += ", required";
    if (!option.default_value.is_null())
        facts += ", default " + option.default_value.dump();
    if (minimum)
        facts += fmt::format(", at least {}", *minimum);
    if (maximum)
        facts += fmt::format(", at most {}", *maximum);
    if (!choices.empty())
        facts += fmt::format(", {}", fmt::join(choices, " | "));
    return facts;
}

// Names, and a text beside each.
std::string lines_of(
    const std::vector<std::pair<std::string, std::string>>& entries,
    const char* margin = ""
)
{
    std::size_t width = 0;
    for (const auto& [name, text] : entries)
        width = std::max(width, name.size());
    std::string lines;
    for (const auto& [name, text] : entries)
        lines += fmt::format("{}{:<{}}  {}\n", margin, name, width, text);
    return lines;
}

std::string list(const stage_registry& stages)
{
    std::vector<std::pair<std::string, std::string>> entries;
    for (const auto& [name, type] : stages.all())
        entries.emplace_back(name, type.summary);
    return lines_of(entries);
}

std::string explain(const stage_type& type)
{
    std::string text = fmt::format(
        "{}: {}\ntakes {}{}, gives {}{}\n",
        type.name,
        type.summary,
        to_string(type.takes),
        type.input_is_optional ? " if it has an input" : "",
        to_string(type.gives),
        type.output_is_optional ? " if it has an output" : ""
    );
    std::vector<std::pair<std::string, std::string>> options;
    for (const option_info& option : type.options)
        options.emplace_back(
            option.name,
            fmt::format("{}: {}", facts_about(option), option.summary)
        );
    if (!options.empty())
        text += "\noptions\n" + lines_of(options, "  ");
    if (!type.details.empty())
        text += "\n" + type.details + (type.details.ends_with('\n') ? "" : "\n");
    return text;
}

}  // namespace

std::string stages_command(const std::string& name, const stage_registry& stages)
{
    if (name.empty())
        return list(stages);
    const stage_type* const found = stages.find(name);
    if (found == nullptr)
        throw unknown_name("stage", name, stages.names(), "sluice stages");
    return explain(*found);
}

}  // namespace sluice::cli
