// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "graph.hpp"

#include "pipeline/runner_title.hpp"
#include "text/byte_size.hpp"
#include "text/printable.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
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
    std::string label = pipeline::runner_title(runner.name, runner.stage);
    if (runner.workers > 1)
        label += fmt::format("\n{} workers", runner.workers);
    if (runner.workers > 1 && runner.ordered)
        label += ", ordered";
    return in_dot(label);
}

}  // namespace

// Names may be anything, so nodes are called q0, q1, ... and r0, r1, ...
std::string to_dot(const pipeline::pipeline_description& description)
{
    const auto& queues = description.queues;
    const auto& runners = description.runners;
    const auto number_of = [&queues](const std::string& queue) {
        return std::ranges::find(queues, queue, &queue_description::name) -
               queues.begin();
    };
    std::string text = fmt::format(
        "digraph {} {{\n    rankdir=LR;\n    node [fontname=\"sans-serif\"];\n",
        in_dot(text::printable(description.name))
    );
    std::string arrows;
    for (std::size_t i = 0; i < runners.size(); ++i) {
        const runner_description& each = runners[i];
        text += fmt::format("    r{} [label={}, shape=box];\n", i, label_of(each));
        if (!each.from.empty())
            arrows += fmt::format("    q{} -> r{};\n", number_of(each.from), i);
        std::vector<std::string> outputs = each.to;
        if (!each.on_error.to.empty())
            outputs.push_back(each.on_error.to);
        for (const std::string& queue : outputs)
            arrows += fmt::format("    r{} -> q{};\n", i, number_of(queue));
    }
    constexpr auto node = "    q{} [label={}, shape=box, style=rounded];\n";
    for (std::size_t i = 0; i < queues.size(); ++i)
        text += fmt::format(node, i, label_of(queues[i]));
    return text + arrows + "}\n";
}

}  // namespace sluice::cli
