// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "snapshot.hpp"

#include "text_format.hpp"

#include <algorithm>

namespace sluice::cli {

using nlohmann::ordered_json;
using pipeline::pipeline_snapshot;
using pipeline::queue_snapshot;
using pipeline::runner_snapshot;

namespace {

bool is_source(const runner_snapshot& runner) noexcept
{
    return runner.from.empty();
}

ordered_json name_or_null(const std::string& name)
{
    return name.empty() ? ordered_json() : ordered_json(name);
}

// One as it is, several as an array.
ordered_json names_or_null(const std::vector<std::string>& names)
{
    return names.size() > 1 ? ordered_json(names)
                            : name_or_null(names.empty() ? "" : names.front());
}

ordered_json to_json(const queue_snapshot& queue)
{
    return {
        {"name", queue.name},
        {"type", to_string(queue.type)},
        {"size", queue.stats.size},
        {"capacity",
         has_capacity_in_elements(queue) ? ordered_json(queue.stats.capacity)
                                         : ordered_json()},
        {"bytes", queue.stats.weight},
        {"memory", queue.stats.weight_limit},
        {"high_water", queue.stats.high_water},
        {"enqueued", queue.stats.enqueued},
        {"dequeued", dequeued_from(queue)},
        {"dropped", queue.stats.dropped},
        {"waiting_producers", queue.stats.waiting_producers},
        {"waiting_consumers", queue.stats.waiting_consumers},
        {"waits_to_enqueue", queue.waits_to_enqueue},
        {"waits_to_dequeue", queue.waits_to_dequeue},
        {"closed", queue.stats.closed}
    };
}

ordered_json to_json(const runner_snapshot& runner)
{
    ordered_json result{
        {"name", runner.name},
        {"stage", runner.stage},
        {"from", name_or_null(runner.from)},
        {"to", names_or_null(runner.to)},
        {"workers", runner.workers},
        {"running", runner.running},
        {"waiting_to_enqueue", runner.waiting_to_enqueue},
        {"waiting_to_dequeue", runner.waiting_to_dequeue},
        {"items_in", runner.items_in},
        {"items_out", runner.items_out},
        {"busy_seconds", seconds_of(runner.busy)},
        {"blocked_on_enqueue_seconds", seconds_of(runner.blocked_on_enqueue)},
        {"blocked_on_dequeue_seconds", seconds_of(runner.blocked_on_dequeue)}
    };
    if (runner.skipped > 0) {
        result["skipped"] = runner.skipped;
        result["first_errors"] = runner.first_errors;
    }
    if (!runner.partial_result.empty())
        result["partial_result"] = runner.partial_result;
    if (runner.progress)
        result["progress"] = *runner.progress;
    return result;
}

template <class Part>
ordered_json to_array(const std::vector<Part>& parts)
{
    ordered_json result = ordered_json::array();
    for (const Part& part : parts)
        result.push_back(to_json(part));
    return result;
}

}  // namespace

std::optional<double> progress_of(const pipeline_snapshot& snapshot)
{
    std::optional<double> slowest;
    for (const auto& runner : snapshot.runners) {
        if (!is_source(runner))
            continue;
        const bool has_ended = runner.running == 0 && runner.items_out > 0;
        const auto progress = has_ended ? std::optional(1.0) : runner.progress;
        if (!progress)
            return std::nullopt;
        slowest = std::min(slowest.value_or(1.0), std::clamp(*progress, 0.0, 1.0));
    }
    return slowest;
}

std::optional<std::chrono::nanoseconds> time_left(const pipeline_snapshot& snapshot)
{
    // The first percent is no measure: files are opened, queues fill.
    constexpr double enough = 0.01;
    const auto progress = progress_of(snapshot);
    if (snapshot.state != pipeline::run_state::running || !progress || *progress < enough)
        return std::nullopt;
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
        snapshot.elapsed * ((1 - *progress) / *progress)
    );
}

std::uint64_t dequeued_from(const queue_snapshot& queue) noexcept
{
    return queue.stats.dequeued - queue.stats.returned;
}

bool has_capacity_in_elements(const queue_snapshot& queue) noexcept
{
    return queue.stats.capacity != unbounded;
}

std::uint64_t items_of(const runner_snapshot& runner) noexcept
{
    return is_source(runner) ? runner.items_out : runner.items_in;
}

ordered_json to_json(const pipeline_snapshot& snapshot)
{
    ordered_json result{
        {"name", snapshot.name},
        {"state", to_string(snapshot.state)},
        {"elapsed_seconds", seconds_of(snapshot.elapsed)},
        {"queues", to_array(snapshot.queues)},
        {"runners", to_array(snapshot.runners)}
    };
    if (const auto progress = progress_of(snapshot))
        result["progress"] = *progress;
    if (const auto left = time_left(snapshot))
        result["seconds_left"] = seconds_of(*left);
    return result;
}

std::string to_line(const ordered_json& document)
{
    return document.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace sluice::cli
