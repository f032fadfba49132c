// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stages_command.hpp"

#include "text_format.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>
#include <vector>

namespace sluice::cli {

using nlohmann::ordered_json;
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

std::string limits_of(const option_info& option)
{
    const auto& [minimum, maximum, choices, needs, needed_text] = option.limits;
    if (minimum && maximum)
        return fmt::format("{} to {}", *minimum, *maximum);
    if (minimum)
        return fmt::format("at least {}", *minimum);
    if (maximum)
        return fmt::format("at most {}", *maximum);
    return fmt::format("{}", fmt::join(choices, " | "));
}

std::string default_of(const option_info& option)
{
    if (option.required)
        return "required";
    return option.default_value.is_null() ? "" : option.default_value.dump();
}

ordered_json to_json(const option_info& option)
{
    ordered_json result{
        {"name", option.name},
        {"type", name_of(option.type)},
        {"summary", option.summary},
        {"required", option.required}
    };
    if (!option.default_value.is_null())
        result["default"] = option.default_value;
    if (option.limits.minimum)
        result["minimum"] = *option.limits.minimum;
    if (option.limits.maximum)
        result["maximum"] = *option.limits.maximum;
    if (!option.limits.choices.empty())
        result["choices"] = option.limits.choices;
    return result;
}

ordered_json to_json(const stage_type& type)
{
    ordered_json options = ordered_json::array();
    for (const option_info& option : type.options)
        options.push_back(to_json(option));
    return {
        {"name", type.name},
        {"summary", type.summary},
        {"takes", to_string(type.takes)},
        {"gives", to_string(type.gives)},
        {"input_is_optional", type.input_is_optional},
        {"output_is_optional", type.output_is_optional},
        {"options", std::move(options)},
        {"details", type.details}
    };
}

// The paragraphs of a text in one line each; what is indented stays as it is.
std::string unwrapped(std::string text)
{
    for (std::size_t at = 1; at + 1 < text.size(); ++at)
        if (text[at] == '\n' && text[at - 1] != '\n' && text[at + 1] != '\n' &&
            text[at + 1] != ' ')
            text[at] = ' ';
    return text;
}

std::string list(const stage_registry& stages, std::size_t columns)
{
    using stage = std::pair<const std::string, stage_type>;
    const auto kinds = [](const stage& s) {
        return fmt::format(
            "{} -> {}",
            to_string(s.second.takes),
            to_string(s.second.gives)
        );
    };
    const std::vector<column<stage>> shown{
        {"", [](const stage& s) { return s.first; }, 0, '<'},
        {"", kinds, 1, '<'},
        {"", [](const stage& s) { return s.second.summary; }, 0, '<'}
    };
    const auto lines = table_lines(table_of(stages.all(), shown), columns);
    return fmt::format("{}\n", fmt::join(lines, "\n"));
}

std::string explain(const stage_type& type, std::size_t columns)
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
    if (!type.options.empty())
        text += "\noptions\n";
    using option = option_info;
    const auto name_of_type = [](const option& o) {
        return std::string(name_of(o.type));
    };
    const std::vector<column<option>> shown{
        {"", [](const option& o) { return o.name; }, 0, '<'},
        {"", name_of_type, 2, '<'},
        {"", default_of, 3, '<'},
        {"", limits_of, 1, '<'},
        {"", [](const option& o) { return o.summary; }, 0, '<'}
    };
    for (const std::string& line : table_lines(table_of(type.options, shown), columns, 2))
        text += line + "\n";
    if (!type.details.empty())
        text += fmt::format(
            "\n{}{}",
            columns == unlimited_columns ? type.details : unwrapped(type.details),
            type.details.ends_with('\n') ? "" : "\n"
        );
    return wrapped_lines(text, columns);
}

}  // namespace

std::string stages_command(
    const stages_arguments& arguments,
    const stage_registry& stages,
    std::size_t columns
)
{
    if (!arguments.name.empty()) {
        const stage_type* const found = stages.find(arguments.name);
        if (found == nullptr)
            throw unknown_name("stage", arguments.name, stages.names(), "sluice stages");
        return arguments.json ? to_json(*found).dump(2) + "\n" : explain(*found, columns);
    }
    if (!arguments.json)
        return list(stages, columns);
    ordered_json all = ordered_json::array();
    for (const auto& [name, type] : stages.all())
        all.push_back(to_json(type));
    return all.dump(2) + "\n";
}

}  // namespace sluice::cli
