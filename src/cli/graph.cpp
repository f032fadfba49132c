// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "graph.hpp"

#include "text/byte_size.hpp"
#include "text/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>

namespace sluice::cli {

using pipeline::pipeline_description;
using pipeline::queue_description;
using pipeline::queue_type;
using pipeline::runner_description;

namespace {

struct escape
{
    char character;
    const char* replacement;
};

// How a language writes the parts of a graph.
struct graph_language
{
    const char* begin;   // a format of libfmt, which takes the name of the pipeline
    const char* runner;  // takes the number and the label
    const char* queue;   // takes the number and the label
    const char* arrow;   // takes two nodes
    const char* end;
    const char* line_break;  // in a label
    std::span<const escape> escapes;
};

constexpr escape dot_escapes[] = {{'"', "\\\""}, {'\\', "\\\\"}};

constexpr graph_language dot{
    .begin = "digraph \"{}\" {{\n    rankdir=LR;\n    node [fontname=\"sans-serif\"];\n",
    .runner = "    r{} [label=\"{}\", shape=box];\n",
    .queue = "    q{} [label=\"{}\", shape=box, style=rounded];\n",
    .arrow = "    {} -> {};\n",
    .end = "}\n",
    .line_break = "\\n",
    .escapes = dot_escapes
};

constexpr escape mermaid_escapes[] =
    {{'"', "#quot;"}, {'#', "#35;"}, {'<', "#lt;"}, {'>', "#gt;"}};

constexpr graph_language mermaid{
    .begin = "flowchart LR\n",
    .runner = "    r{}[\"{}\"]\n",
    .queue = "    q{}([\"{}\"])\n",
    .arrow = "    {} --> {}\n",
    .end = "",
    .line_break = "<br/>",
    .escapes = mermaid_escapes
};

std::string escaped(const graph_language& language, std::string_view text)
{
    std::string result;
    for (const char each : text::printable(text)) {
        const auto found = std::ranges::find(language.escapes, each, &escape::character);
        if (found == language.escapes.end())
            result += each;
        else
            result += found->replacement;
    }
    return result;
}

std::string details_of(const queue_description& queue)
{
    const std::string capacity =
        queue.capacity == unbounded
            ? fmt::format("capacity {}", text::byte_size_text(queue.memory.count))
            : fmt::format("capacity {}", queue.capacity);
    std::string details = queue.type == queue_type::fifo
                              ? capacity
                              : fmt::format("{}, {}", to_string(queue.type), capacity);
    if (queue.overflow != overflow::wait)
        details += fmt::format(", {}", pipeline::to_string(queue.overflow));
    return details;
}

std::string details_of(const runner_description& runner)
{
    std::string details = runner.stage == runner.name ? "" : runner.stage;
    if (runner.workers > 1)
        details += fmt::format(
            "{}{} workers{}",
            details.empty() ? "" : ", ",
            runner.workers,
            runner.ordered ? ", ordered" : ""
        );
    return details;
}

template <class Part>
std::string label_of(const graph_language& language, const Part& part)
{
    const std::string details = escaped(language, details_of(part));
    return escaped(language, part.name) + (details.empty() ? "" : language.line_break) +
           details;
}

// Names may be anything, so nodes are called q0, q1, ... and r0, r1, ...
std::string to_graph(
    const pipeline_description& description,
    const graph_language& language
)
{
    const auto& queues = description.queues;
    const auto& runners = description.runners;
    std::string text;
    const auto add = [&text](const char* format, const auto&... values) {
        fmt::format_to(std::back_inserter(text), fmt::runtime(format), values...);
    };
    const auto node_of = [&queues](const std::string& queue) {
        const auto found = std::ranges::find(queues, queue, &queue_description::name);
        return fmt::format("q{}", found - queues.begin());
    };

    add(language.begin, escaped(language, description.name));
    for (std::size_t i = 0; i < runners.size(); ++i)
        add(language.runner, i, label_of(language, runners[i]));
    for (std::size_t i = 0; i < queues.size(); ++i)
        add(language.queue, i, label_of(language, queues[i]));
    for (std::size_t i = 0; i < runners.size(); ++i) {
        const std::string node = fmt::format("r{}", i);
        if (!runners[i].from.empty())
            add(language.arrow, node_of(runners[i].from), node);
        for (const std::string& queue : runners[i].to)
            add(language.arrow, node, node_of(queue));
        if (!runners[i].on_error.to.empty())
            add(language.arrow, node, node_of(runners[i].on_error.to));
    }
    return text + language.end;
}

}  // namespace

std::string to_dot(const pipeline_description& description)
{
    return to_graph(description, dot);
}

std::string to_mermaid(const pipeline_description& description)
{
    return to_graph(description, mermaid);
}

}  // namespace sluice::cli
