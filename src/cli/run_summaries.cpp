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

#include <algorithm>
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
    const auto connect = [&](const std::string& queue, const auto& make_edge) {
        const auto found =
            std::ranges::find(run.queues, queue, &metrics::queue_snapshot::name);
        if (found != run.queues.end())  // and not in another process
            graph.edges.push_back(make_edge(tag_of(*found)));
    };
    for (const metrics::runner_snapshot& each : run.runners) {
        const std::string node = tag_of(each);
        graph.nodes.push_back(
            {node, each.stage, {{"workers", std::to_string(each.workers)}}}
        );
        const auto to_runner = [&](const std::string& queue) {
            return flow_edge{queue, node};
        };
        const auto to_queue = [&](const std::string& queue) {
            return flow_edge{node, queue};
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
    add_sizes(now);
    // At the end too little time may have passed for a rate, unless there is none yet.
    if (now.elapsed < interval || now.elapsed - before_.elapsed >= interval / 2) {
        add_rates(now);
        before_ = now;
    }
}

void run_summaries::add_sizes(const metrics::snapshot& now)
{
    const std::int64_t step = step_of(now);
    for (const metrics::queue_snapshot& each : now.queues)
        if (metrics::is_known(each))
            log_.scalar(
                tag_of(each) + "/size",
                static_cast<double>(each.stats.size),
                step
            );
    for (const metrics::runner_snapshot& each : now.runners) {
        log_.scalar(
            tag_of(each) + "/busy",
            metrics::share_of_time(each.busy, each),
            step
        );
        log_.scalar(
            tag_of(each) + "/ready",
            metrics::share_of_time(each.ready, each),
            step
        );
    }
}

void run_summaries::add_rates(const metrics::snapshot& now)
{
    const std::int64_t step = step_of(now);
    const metrics::rates rates = metrics::rates_between(before_, now);
    for (std::size_t i = 0; i < now.queues.size(); ++i) {
        // What a server had before this run is no rate of it.
        const metrics::queue_snapshot& queue = now.queues[i];
        if (queue.remote &&
            (i >= before_.queues.size() || !metrics::is_known(before_.queues[i])))
            continue;
        const std::string tag = tag_of(queue);
        log_.scalar(tag + "/enqueued_per_s", rates.queues[i].enqueued, step);
        log_.scalar(tag + "/dequeued_per_s", rates.queues[i].dequeued, step);
    }
    for (std::size_t i = 0; i < now.runners.size(); ++i)
        log_.scalar(tag_of(now.runners[i]) + "/items_per_s", rates.runners[i], step);
}

void run_summaries::finish(const metrics::snapshot& last)
{
    update(last);
    log_.text("bottleneck", metrics::describe_bottleneck(last), step_of(last));
    log_.flush();
}

}  // namespace sluice::cli
