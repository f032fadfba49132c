// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "graph.hpp"

#include "text/byte_size.hpp"
#include "text/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace sluice::cli {

using pipeline::queue_description;
using pipeline::runner_description;

namespace {

// Between quotes.
std::string escaped(std::string_view text)
{
    std::string result;
    for (const char each : text::printable(text)) {
        if (each == '"' || each == '\\')
            result += '\\';
        result += each;
    }
    return result;
}

std::vector<std::string> details_of(const queue_description& queue)
{
    std::vector<std::string> details;
    if (queue.type != pipeline::queue_type::fifo)
        details.emplace_back(to_string(queue.type));
    details.push_back(
        queue.capacity == unbounded
            ? "capacity " + text::byte_size_text(queue.memory.count)
            : fmt::format("capacity {}", queue.capacity)
    );
    if (queue.overflow != overflow::wait)
        details.emplace_back(pipeline::to_string(queue.overflow));
    return details;
}

std::vector<std::string> details_of(const runner_description& runner)
{
    std::vector<std::string> details;
    if (runner.stage != runner.name)
        details.push_back(runner.stage);
    if (runner.workers > 1)
        details.push_back(fmt::format("{} workers", runner.workers));
    if (runner.workers > 1 && runner.ordered)
        details.emplace_back("ordered");
    return details;
}

template <class Part>
std::string label_of(const Part& part)
{
    const std::vector<std::string> details = details_of(part);
    return escaped(part.name) + (details.empty() ? "" : "\\n") +
           escaped(fmt::to_string(fmt::join(details, ", ")));
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
        "digraph \"{}\" {{\n    rankdir=LR;\n    node [fontname=\"sans-serif\"];\n",
        escaped(description.name)
    );
    std::string arrows;
    for (std::size_t i = 0; i < runners.size(); ++i) {
        const runner_description& each = runners[i];
        text += fmt::format("    r{} [label=\"{}\", shape=box];\n", i, label_of(each));
        if (!each.from.empty())
            arrows += fmt::format("    q{} -> r{};\n", number_of(each.from), i);
        std::vector<std::string> outputs = each.to;
        if (!each.on_error.to.empty())
            outputs.push_back(each.on_error.to);
        for (const std::string& queue : outputs)
            arrows += fmt::format("    r{} -> q{};\n", i, number_of(queue));
    }
    constexpr auto node = "    q{} [label=\"{}\", shape=box, style=rounded];\n";
    for (std::size_t i = 0; i < queues.size(); ++i)
        text += fmt::format(node, i, label_of(queues[i]));
    return text + arrows + "}\n";
}

}  // namespace sluice::cli
