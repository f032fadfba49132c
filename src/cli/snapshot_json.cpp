// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "snapshot_json.hpp"

#include "number_format.hpp"
#include "snapshot_figures.hpp"

#include <string>

namespace sluice::cli {

using nlohmann::ordered_json;

namespace {

const char* name_of(pipeline::queue_type type) noexcept
{
    switch (type) {
    case pipeline::queue_type::fifo:
        return "fifo";
    case pipeline::queue_type::shuffle:
        return "shuffle";
    case pipeline::queue_type::priority:
        return "priority";
    case pipeline::queue_type::padding:
        return "padding";
    }
    return "unknown";
}

ordered_json to_json(const pipeline::queue_snapshot& queue)
{
    return {
        {"name", queue.name},
        {"type", name_of(queue.type)},
        {"size", queue.stats.size},
        {"capacity", queue.stats.capacity},
        {"high_water", queue.stats.high_water},
        {"enqueued", queue.stats.enqueued},
        {"dequeued", queue.stats.dequeued - queue.stats.returned},
        {"waiting_producers", queue.stats.waiting_producers},
        {"waiting_consumers", queue.stats.waiting_consumers},
        {"waits_to_put", queue.waits_to_put},
        {"waits_to_take", queue.waits_to_take},
        {"closed", queue.stats.closed}
    };
}

ordered_json to_json(const pipeline::runner_snapshot& runner)
{
    ordered_json result{
        {"name", runner.name},
        {"stage", runner.stage},
        {"from", runner.from.empty() ? ordered_json() : ordered_json(runner.from)},
        {"to", runner.to.empty() ? ordered_json() : ordered_json(runner.to)},
        {"workers", runner.workers},
        {"running", runner.running},
        {"waiting_to_put", runner.waiting_to_put},
        {"waiting_to_take", runner.waiting_to_take},
        {"items_in", runner.items_in},
        {"items_out", runner.items_out},
        {"busy_seconds", seconds_of(runner.busy)},
        {"blocked_on_put_seconds", seconds_of(runner.blocked_on_put)},
        {"blocked_on_take_seconds", seconds_of(runner.blocked_on_take)}
    };
    if (runner.progress)
        result["progress"] = *runner.progress;
    return result;
}

template <class Parts>
ordered_json to_array(const Parts& parts)
{
    ordered_json result = ordered_json::array();
    for (const auto& part : parts)
        result.push_back(to_json(part));
    return result;
}

}  // namespace

ordered_json to_json(const pipeline::pipeline_snapshot& snapshot)
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
