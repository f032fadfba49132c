// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "commands.hpp"

#include "pipeline/words.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace sluice::cli {

using pipeline::option_info;
using pipeline::queue_description;
using pipeline::runner_description;
using pipeline::stage_registry;
using pipeline::stage_type;

namespace {

// In quotes, with escapes, as JSON has it.
std::string in_dot(const std::string& text)
{
    return nlohmann::json(text).dump();
}

std::string node_of(const std::string& queue)
{
    return in_dot("queue " + text::printable(queue));
}

std::string label_of(const queue_description& queue)
{
    std::string label = text::printable(queue.name) + "\n";
    if (queue.type != pipeline::queue_type::fifo)
        label += fmt::format("{}, ", to_string(queue.type));
    label += "capacity ";
    label += queue.capacity == unbounded ? text::byte_size_text(queue.memory.count)
                                         : std::to_string(queue.capacity);
    if (queue.overflow != overflow::wait)
        label += fmt::format(", {}", pipeline::to_string(queue.overflow));
    return in_dot(label);
}

std::string label_of(const runner_description& runner)
{
    std::string label = pipeline::detail::runner_title(runner.name, runner.stage);
    if (runner.workers > 1)
        label += fmt::format("\n{} workers", runner.workers);
    if (runner.workers > 1 && runner.ordered)
        label += ", ordered";
    return in_dot(label);
}

}  // namespace

std::string to_dot(const pipeline::pipeline_description& description)
{
    std::string text = fmt::format(
        "digraph {} {{\n    rankdir=LR;\n    node [fontname=\"sans-serif\"];\n",
        in_dot(text::printable(description.name))
    );
    std::string arrows;
    for (const runner_description& each : description.runners) {
        const std::string node = in_dot("runner " + text::printable(each.name));
        text += fmt::format("    {} [label={}, shape=box];\n", node, label_of(each));
        if (!each.from.empty())
            arrows += fmt::format("    {} -> {};\n", node_of(each.from), node);
        std::vector<std::string> outputs = each.to;
        if (!each.on_error.to.empty())
            outputs.push_back(each.on_error.to);
        for (const std::string& queue : outputs)
            arrows += fmt::format("    {} -> {};\n", node, node_of(queue));
    }
    constexpr auto node = "    {} [label={}, shape=box, style=rounded];\n";
    for (const queue_description& each : description.queues)
        text += fmt::format(node, node_of(each.name), label_of(each));
    return text + arrows + "}\n";
}

namespace {

// In the order of the enumerators.
constexpr const char* option_types[] =
    {"text", "texts", "integer", "number", "flag", "duration", "size", "any JSON"};

// Its type, default and limits.
std::string facts_about(const option_info& option)
{
    const auto& [minimum, maximum, choices, needs, needed_text] = option.limits;
    std::string facts = pipeline::detail::name_of(option.type, option_types);
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

std::string schema_command(const stage_registry& stages)
{
    return pipeline::description_schema(stages).dump(2) + "\n";
}

std::string stages_command(const std::string& name, const stage_registry& stages)
{
    if (name.empty())
        return list(stages);
    const stage_type* const found = stages.find(name);
    if (found == nullptr)
        throw unknown_name("stage", name, stages.names(), "sluice stages");
    return explain(*found);
}

#ifndef SLUICE_WITH_REDIS

namespace {

const std::string missing = "this program was built without queues on a server; build it "
                            "where hiredis is found, with SLUICE_WITH_REDIS=ON";

}  // namespace

exit_status queues_command(const queues_arguments& /*arguments*/)
{
    throw command_error("sluice: " + missing);
}

// A description that has such queues is refused before.
pipeline::remote_queue_factory remote_queues()
{
    return nullptr;
}

pipeline::address_check remote_addresses()
{
    return [](const std::string& /*url*/) {
        return pipeline::problem{
            .found = "a server",
            .expected = "a queue of this process",
            .hint = missing
        };
    };
}

#endif

}  // namespace sluice::cli
