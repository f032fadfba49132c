// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "commands.hpp"
#include "pipeline/words.hpp"
#include "text/printable.hpp"
#include "text/units.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <vector>

namespace sluice::cli {

using pipeline::queue_description;
using pipeline::runner_description;

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
                                         : fmt::to_string(queue.capacity);
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

}  // namespace sluice::cli
