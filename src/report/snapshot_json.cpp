// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/report/snapshot_json.hpp>

#include "metrics/unique_name.hpp"
#include "report/json_writer.hpp"
#include "report/valid_text.hpp"
#include <sluice/metrics/bottleneck.hpp>
#include <sluice/metrics/figures.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sluice::report {

namespace {

void write_waits(json_writer& out, const char* name, const metrics::wait_histogram& waits)
{
    out.key(name).begin_object().key("counts").begin_array();
    for (const std::uint64_t count : waits.counts)
        out.value(count);
    out.end_array().member("sum_seconds", waits.sum).end_object();
}

void write_time(
    json_writer& out,
    const char* name,
    const std::optional<std::chrono::nanoseconds>& time
)
{
    if (time)
        out.member(name, *time);
    else
        out.key(name).null();
}

void write_remote(json_writer& out, const metrics::queue_snapshot& queue)
{
    const metrics::remote_figures& remote = *queue.remote;
    out.key("remote")
        .begin_object()
        .member("pending", remote.pending)
        .member("redelivered", remote.redelivered)
        .member("dead", remote.dead)
        .member("dead_letters", remote.dead_letters)
        .member("lost", remote.lost);
    write_time(out, "oldest_age_seconds", remote.oldest_age);
    write_time(out, "read_seconds_ago", remote.read_ago);
    out.member("stale", is_stale(queue))
        .name("problem", remote.problem)
        .name("warning", remote.warning)
        .end_object();
}

void write(
    json_writer& out,
    const std::string& name,
    const metrics::queue_snapshot& queue
)
{
    const queue_stats& stats = queue.stats;
    out.begin_object()
        .member("name", name)
        .name("type", queue.type)
        .member("size", stats.size)
        .key("capacity");
    is_bounded(queue) ? out.value(stats.capacity) : out.null();
    out.member("bytes", stats.weight).key("memory");
    has_weight_limit(queue) ? out.value(stats.weight_limit) : out.null();
    out.member("high_water", stats.high_water)
        .member("enqueued", stats.enqueued)
        .member("dequeued", dequeued_from(queue))
        .member("dropped", stats.dropped)
        .member("waiting_producers", stats.waiting_producers)
        .member("waiting_consumers", stats.waiting_consumers)
        .member("waits_to_enqueue", queue.waits_to_enqueue)
        .member("waits_to_dequeue", queue.waits_to_dequeue)
        .member("longest_wait_to_enqueue_seconds", queue.longest_wait_to_enqueue)
        .member("longest_wait_to_dequeue_seconds", queue.longest_wait_to_dequeue);
    write_waits(out, "enqueue_waits", queue.enqueue_waits);
    write_waits(out, "dequeue_waits", queue.dequeue_waits);
    if (queue.remote)
        write_remote(out, queue);
    out.member("closed", stats.closed);
    if (stats.end.by != closer::none)
        out.member("closed_by", to_string(stats.end.by))
            .name("closed_because", reason_of(stats.end));
    out.end_object();
}

void write_texts(
    json_writer& out,
    const char* name,
    const std::vector<std::string>& texts
)
{
    out.key(name).begin_array();
    for (const std::string& text : texts)
        out.value(text);
    out.end_array();
}

// One as it is, several as an array, none as null.
void write_names(
    json_writer& out,
    const char* name,
    const std::vector<std::string>& names
)
{
    if (names.size() > 1)
        write_texts(out, name, names);
    else
        out.name(name, names.empty() ? std::string() : names.front());
}

void write(
    json_writer& out,
    const std::string& name,
    const metrics::runner_snapshot& runner
)
{
    out.begin_object()
        .member("name", name)
        .name("stage", runner.stage)
        .name("from", runner.from);
    write_names(out, "to", runner.to);
    out.member("workers", runner.workers)
        .member("running", runner.running)
        .member("waiting_to_enqueue", runner.waiting_to_enqueue)
        .member("waiting_to_dequeue", runner.waiting_to_dequeue)
        .member("waiting_for_thread", runner.waiting_for_thread)
        .member("items_in", runner.items_in)
        .member("items_out", runner.items_out)
        .member("busy_seconds", runner.busy)
        .member("ready_seconds", runner.ready)
        .member("blocked_on_enqueue_seconds", runner.blocked_on_enqueue)
        .member("blocked_on_dequeue_seconds", runner.blocked_on_dequeue)
        .member("idle_seconds", runner.idle);
    if (!runner.errors_to.empty())
        out.member("errors_to", runner.errors_to);
    if (runner.paused)
        out.member("paused", true);
    if (runner.skipped > 0) {
        out.member("skipped", runner.skipped);
        write_texts(out, "first_errors", runner.first_errors);
    }
    if (!runner.partial_result.empty())
        out.member("partial_result", runner.partial_result);
    if (runner.progress)
        out.member("progress", *runner.progress);
    out.end_object();
}

void write(
    json_writer& out,
    const std::string& name,
    const metrics::coordinator_snapshot& coordinator
)
{
    out.begin_object()
        .member("name", name)
        .member("tasks", coordinator.tasks)
        .member("stop_requested", coordinator.stop_requested);
    write_texts(out, "errors", coordinator.errors);
    out.end_object();
}

// Several tasks may have one name: what they are.
void write(json_writer& out, const metrics::task_snapshot& task)
{
    out.begin_object()
        .member("name", task.name)
        .member("doing", to_string(task.doing))
        .name("waiting_on", task.waiting_on)
        .name("queue", task.queue)
        .member("since_seconds", task.since)
        .member("straggler", task.is_straggler)
        .end_object();
}

template <class Part>
void write_all(json_writer& out, const char* name, const std::vector<Part>& parts)
{
    std::set<std::string> taken;
    out.key(name).begin_array();
    for (const Part& part : parts)
        write(out, metrics::unique_name(valid_text(part.name), taken), part);
    out.end_array();
}

}  // namespace

std::string to_json(const metrics::snapshot& all)
{
    json_writer out;
    out.begin_object()
        .member("name", all.name)
        .member("state", to_string(all.state))
        .member("elapsed_seconds", all.elapsed);
    if (all.threads > 0)
        out.member("threads", all.threads);
    if (all.processors > 0)
        out.member("processors", all.processors);
    write_all(out, "queues", all.queues);
    write_all(out, "runners", all.runners);
    write_all(out, "coordinators", all.coordinators);
    out.key("tasks").begin_array();
    for (const metrics::task_snapshot& task : all.tasks)
        write(out, task);
    out.end_array();
    out.name("first_error", all.first_error)
        .member("bottleneck", metrics::describe_bottleneck(all));
    if (const auto progress = metrics::progress_of(all))
        out.member("progress", *progress);
    if (const auto left = metrics::time_left(all))
        out.member("seconds_left", *left);
    out.end_object();
    return out.take();
}

}  // namespace sluice::report
