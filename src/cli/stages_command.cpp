// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stages_command.hpp"

#include "command_error.hpp"
#include "table.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <ostream>
#include <string>

namespace sluice::cli {

using nlohmann::ordered_json;
using pipeline::option_info;
using pipeline::option_type;
using pipeline::stage_registry;
using pipeline::stage_type;

namespace {

const char* name_of(option_type type) noexcept
{
    switch (type) {
    case option_type::text:
        return "text";
    case option_type::texts:
        return "texts";
    case option_type::integer:
        return "integer";
    case option_type::number:
        return "number";
    case option_type::flag:
        return "flag";
    case option_type::duration:
        return "duration";
    case option_type::json:
        return "any JSON";
    }
    return "unknown";
}

const stage_type& find_stage(const stage_registry& stages, const std::string& name)
{
    if (const stage_type* const found = stages.find(name))
        return *found;
    throw unknown_name("stage", name, stages.names(), "sluice stages");
}

// Whole numbers without a point, as they are written in a description.
std::string number_text(double number)
{
    return std::nearbyint(number) == number && std::abs(number) < 1e15
               ? std::to_string(static_cast<long long>(number))
               : nlohmann::json(number).dump();
}

std::string limits_of(const option_info& option)
{
    const auto& [minimum, maximum, choices] = option.limits;
    std::string text;
    for (const std::string& choice : choices)
        text += (text.empty() ? "" : " | ") + choice;
    if (minimum && maximum)
        text += number_text(*minimum) + " to " + number_text(*maximum);
    else if (minimum)
        text += "at least " + number_text(*minimum);
    else if (maximum)
        text += "at most " + number_text(*maximum);
    return text;
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
        {"output_is_optional", type.output_is_optional},
        {"options", std::move(options)},
        {"details", type.details}
    };
}

std::string flow_of(const stage_type& type)
{
    return std::string(to_string(type.takes)) + " -> " + to_string(type.gives);
}

void list(const stage_registry& stages, std::ostream& out)
{
    table lines({alignment::left, alignment::left, alignment::left});
    for (const auto& [name, type] : stages.all())
        lines.add({name, flow_of(type), type.summary});
    for (const std::string& line : lines.lines())
        out << line << '\n';
}

void explain(const stage_type& type, std::ostream& out)
{
    out << type.name << ": " << type.summary << '\n'
        << "takes " << to_string(type.takes) << ", gives " << to_string(type.gives)
        << (type.output_is_optional ? " if it has an output" : "") << '\n';
    if (!type.options.empty()) {
        out << "\noptions\n";
        table lines(std::vector<alignment>(5, alignment::left));
        for (const option_info& option : type.options)
            lines.add(
                {option.name,
                 name_of(option.type),
                 default_of(option),
                 limits_of(option),
                 option.summary}
            );
        for (const std::string& line : lines.lines())
            out << "  " << line << '\n';
    }
    if (!type.details.empty())
        out << '\n' << type.details << (type.details.ends_with('\n') ? "" : "\n");
}

}  // namespace

void stages_command(
    const stages_arguments& arguments,
    const stage_registry& stages,
    std::ostream& out
)
{
    if (!arguments.name.empty()) {
        const stage_type& type = find_stage(stages, arguments.name);
        if (arguments.json)
            out << to_json(type).dump(2) << '\n';
        else
            explain(type, out);
    } else if (arguments.json) {
        ordered_json all = ordered_json::array();
        for (const auto& [name, type] : stages.all())
            all.push_back(to_json(type));
        out << all.dump(2) << '\n';
    } else {
        list(stages, out);
    }
}

}  // namespace sluice::cli
