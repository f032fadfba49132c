// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "graph.hpp"

#include <algorithm>
#include <string_view>

namespace sluice::cli {

using pipeline::pipeline_description;
using pipeline::queue_description;
using pipeline::queue_type;
using pipeline::runner_description;

namespace {

std::string escaped_for_dot(std::string_view text)
{
    std::string result;
    for (const char byte : text) {
        if (byte == '"' || byte == '\\')
            result += '\\';
        result += byte == '\n' ? ' ' : byte;
    }
    return result;
}

std::string escaped_for_mermaid(std::string_view text)
{
    std::string result;
    for (const char byte : text) {
        switch (byte) {
        case '"':
            result += "#quot;";
            break;
        case '#':
            result += "#35;";
            break;
        case '<':
            result += "#lt;";
            break;
        case '>':
            result += "#gt;";
            break;
        case '\n':
            result += ' ';
            break;
        default:
            result += byte;
        }
    }
    return result;
}

std::string details_of(const queue_description& queue)
{
    std::string type;
    switch (queue.type) {
    case queue_type::fifo:
        break;
    case queue_type::shuffle:
        type = "shuffle, ";
        break;
    case queue_type::priority:
        type = "priority, ";
        break;
    case queue_type::padding:
        type = "padding, ";
        break;
    }
    return type + "capacity " + std::to_string(queue.capacity);
}

std::string details_of(const runner_description& runner)
{
    std::string details = runner.stage == runner.name ? "" : runner.stage;
    if (runner.workers > 1)
        details += (details.empty() ? "" : ", ") + std::to_string(runner.workers) +
                   " workers";
    return details;
}

// Names may be anything; nodes are called q0, q1, ... and r0, r1, ...
std::string node_of(const pipeline_description& description, const std::string& queue)
{
    const auto found =
        std::ranges::find(description.queues, queue, &queue_description::name);
    return "q" + std::to_string(found - description.queues.begin());
}

std::string arrows(
    const pipeline_description& description,
    std::size_t runner,
    const std::string& arrow,
    const std::string& end
)
{
    const runner_description& described = description.runners[runner];
    const std::string node = "r" + std::to_string(runner);
    std::string lines;
    if (!described.from.empty())
        lines += "    " + node_of(description, described.from) + arrow + node + end;
    if (!described.to.empty())
        lines += "    " + node + arrow + node_of(description, described.to) + end;
    return lines;
}

std::string dot_label(const std::string& name, const std::string& details)
{
    const std::string second = details.empty() ? "" : "\\n" + escaped_for_dot(details);
    return "[label=\"" + escaped_for_dot(name) + second + "\"";
}

std::string mermaid_label(const std::string& name, const std::string& details)
{
    const std::string second = details.empty() ? ""
                                               : "<br/>" + escaped_for_mermaid(details);
    return "\"" + escaped_for_mermaid(name) + second + "\"";
}

}  // namespace

std::string to_dot(const pipeline_description& description)
{
    std::string text = "digraph \"" + escaped_for_dot(description.name) +
                       "\" {\n    rankdir=LR;\n    node [fontname=\"sans-serif\"];\n";
    for (std::size_t i = 0; i < description.runners.size(); ++i) {
        const auto& runner = description.runners[i];
        text += "    r" + std::to_string(i) + " " +
                dot_label(runner.name, details_of(runner)) + ", shape=box];\n";
    }
    for (std::size_t i = 0; i < description.queues.size(); ++i) {
        const auto& queue = description.queues[i];
        text += "    q" + std::to_string(i) + " " +
                dot_label(queue.name, details_of(queue)) +
                ", shape=box, style=rounded];\n";
    }
    for (std::size_t i = 0; i < description.runners.size(); ++i)
        text += arrows(description, i, " -> ", ";\n");
    return text + "}\n";
}

std::string to_mermaid(const pipeline_description& description)
{
    std::string text = "flowchart LR\n";
    for (std::size_t i = 0; i < description.runners.size(); ++i) {
        const auto& runner = description.runners[i];
        text += "    r" + std::to_string(i) + "[" +
                mermaid_label(runner.name, details_of(runner)) + "]\n";
    }
    for (std::size_t i = 0; i < description.queues.size(); ++i) {
        const auto& queue = description.queues[i];
        text += "    q" + std::to_string(i) + "([" +
                mermaid_label(queue.name, details_of(queue)) + "])\n";
    }
    for (std::size_t i = 0; i < description.runners.size(); ++i)
        text += arrows(description, i, " --> ", "\n");
    return text;
}

}  // namespace sluice::cli
