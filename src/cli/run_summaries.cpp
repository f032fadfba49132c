// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "run_summaries.hpp"

#include "command_line.hpp"
#include "text/printable.hpp"
#include <sluice/error.hpp>
#include <sluice/metrics/bottleneck.hpp>
#include <sluice/metrics/figures.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

namespace sluice::cli {

namespace {

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
    const metrics::rates rates = metrics::rates_between(before_, now);
    // At the end too little time may have passed for a rate, unless there is none yet.
    const bool has_rates = now.elapsed < interval ||
                           now.elapsed - before_.elapsed >= interval / 2;
    const auto add = [this, step = step_of(now)](const std::string& name, double value) {
        log_.scalar(name, value, step);
    };
    for (std::size_t i = 0; i < now.queues.size(); ++i) {
        const metrics::queue_snapshot& queue = now.queues[i];
        const std::string tag = "queue/" + queue.name;
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
        const std::string tag = "runner/" + runner.name;
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
