// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "run_summaries.hpp"

#include "command_line.hpp"
#include "text/printable.hpp"
#include <sluice/error.hpp>
#include <sluice/metrics/bottleneck.hpp>
#include <sluice/metrics/figures.hpp>
#include <sluice/report/flow_graph.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

namespace sluice::cli {

namespace {

// The name of a part, in the group of its kind.
std::string tag_of(const metrics::queue_snapshot& queue)
{
    return "queue/" + queue.name;
}

std::string tag_of(const metrics::runner_snapshot& runner)
{
    return "runner/" + runner.name;
}

flow_graph draw(const metrics::snapshot& run)
{
    flow_graph graph;
    for (const metrics::queue_snapshot& each : run.queues)
        graph.nodes.push_back({tag_of(each), each.type + "_queue"});
    // The other end of a queue on a server may be in another process.
    const auto connect = [&](const std::string& queue, const auto& add_edge) {
        for (const metrics::queue_snapshot& each : run.queues)
            if (each.name == queue)
                add_edge(tag_of(each));
    };
    for (const metrics::runner_snapshot& each : run.runners) {
        const std::string node = tag_of(each);
        const std::string workers = std::to_string(each.workers);
        graph.nodes.push_back({node, each.stage, {{"workers", workers}}});
        const auto to_runner = [&](const std::string& queue) {
            graph.edges.push_back({queue, node});
        };
        const auto to_queue = [&](const std::string& queue) {
            graph.edges.push_back({node, queue});
        };
        connect(each.from, to_runner);
        for (const std::string& queue : each.to)
            connect(queue, to_queue);
        connect(each.errors_to, to_queue);
    }
    return graph;
}

std::int64_t step_of(const metrics::snapshot& run)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(run.elapsed).count();
}

summary_writer open(const std::string& directory)
try {
    return summary_writer{directory};
} catch (const system_error& error) {
    throw command_error(fmt::format(
        "sluice: cannot write summaries to {}: {}",
        text::printable(directory),
        error.code().message()
    ));
}

}  // namespace

run_summaries::run_summaries(const std::string& directory) : log_(open(directory)) {}

void run_summaries::update(const metrics::snapshot& now)
{
    if (before_.runners.empty())
        log_.graph(draw(now));
    const metrics::rates rates = metrics::rates_between(before_, now);
    // At the end too little time may have passed for a rate, unless there is none yet.
    const bool has_rates = now.elapsed < interval ||
                           now.elapsed - before_.elapsed >= interval / 2;
    const auto add = [this, step = step_of(now)](const std::string& name, double value) {
        log_.scalar(name, value, step);
    };
    for (std::size_t i = 0; i < now.queues.size(); ++i) {
        const metrics::queue_snapshot& queue = now.queues[i];
        const std::string tag = tag_of(queue);
        if (metrics::is_known(queue))
            add(tag + "/size", static_cast<double>(queue.stats.size));
        // What a server had before this run is no rate of it.
        const bool was_known = !queue.remote || (i < before_.queues.size() &&
                                                 metrics::is_known(before_.queues[i]));
        if (!has_rates || !was_known)
            continue;
        add(tag + "/enqueued_per_s", rates.queues[i].enqueued);
        add(tag + "/dequeued_per_s", rates.queues[i].dequeued);
    }
    for (std::size_t i = 0; i < now.runners.size(); ++i) {
        const metrics::runner_snapshot& runner = now.runners[i];
        const std::string tag = tag_of(runner);
        add(tag + "/busy", metrics::share_of_time(runner.busy, runner));
        add(tag + "/ready", metrics::share_of_time(runner.ready, runner));
        if (has_rates)
            add(tag + "/items_per_s", rates.runners[i]);
    }
    if (has_rates)
        before_ = now;
}

void run_summaries::finish(const metrics::snapshot& last)
{
    update(last);
    log_.text("bottleneck", metrics::describe_bottleneck(last), step_of(last));
    log_.flush();
}

}  // namespace sluice::cli
