// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/pipeline_parts.hpp"

#include "pipeline/description/check_graph.hpp"
#include "pipeline/run/remote_element_queue.hpp"
#include <sluice/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sluice::pipeline {

namespace {

remote_queue_request request_for(
    const queue_description& queue,
    const pipeline_description& whole
)
{
    remote_queue_request request{.queue = queue, .feeders = {}};
    request.queue.key = detail::key_on_server(queue, whole);
    for (const runner_description& each : whole.runners)
        if (std::ranges::count(each.to, queue.name) > 0 || each.on_error.to == queue.name)
            request.feeders.push_back({.runner = each.name, .copies = each.copies});
    return request;
}

void feed_remotely(running_runner& runner, running_queue& queue)
{
    runner.feeding_remotely.push_back(&queue);
    ++queue.feeders;
}

}  // namespace

pipeline_parts::pipeline_parts(boost::asio::any_io_executor executor)
    : executor_(std::move(executor))
{
}

void pipeline_parts::add(
    const queue_description& queue,
    const pipeline_description& whole,
    const remote_queue_factory& make_remote,
    coordinator& tasks,
    monitor& watch
)
{
    running_queue& added = queues_.emplace_back();
    added.description = queue;
    if (queue.type != queue_type::redis) {
        added.queue = element_queue::make(executor_, queue);
        added.queue->add_to(watch);
        return;
    }
    if (!make_remote)
        throw system_error(
            errc::invalid_argument,
            fmt::format(
                "the queue '{}' is of type redis; give the pipeline a "
                "remote_queue_factory",
                queue.name
            )
        );
    added.taking.emplace(tasks);
    added.remote = make_remote(executor_, request_for(queue, whole));
    added.queue = std::make_unique<remote_element_queue>(*added.remote);
}

void pipeline_parts::add(const runner_description& runner, std::unique_ptr<stage> work)
{
    running_runner& added = runners_.emplace_back(executor_, runner, std::move(work));
    if (running_queue* const from = find_queue(runner.from)) {
        added.from = from->for_consumers();
        if (runner.acknowledge == acknowledgement::written)
            added.leased_from = from->remote.get();
    }
    for (const std::string& name : runner.to) {
        running_queue* const to = find_queue(name);
        if (to->remote != nullptr)
            feed_remotely(added, *to);
        else if (!added.to.empty())  // the first one is fed by a queue_runner
            added.feeding.push_back(to->queue->feed());
        added.to.add(to->for_producers());
    }
    if (running_queue* const errors = find_queue(runner.on_error.to)) {
        if (errors->remote != nullptr)
            feed_remotely(added, *errors);
        added.errors_to.add(errors->for_producers());
        added.feeding.push_back(errors->queue->feed());
    }
}

bool pipeline_parts::fills_local_queue(const running_runner& runner)
{
    return !runner.is_sink() &&
           find_queue(runner.description.to.front())->remote == nullptr;
}

running_runner& pipeline_parts::find_runner(std::string_view name)
{
    for (running_runner& runner : runners_)
        if (runner.description.name == name)
            return runner;
    throw system_error(
        errc::invalid_argument,
        fmt::format("the pipeline has no runner '{}'", name)
    );
}

running_queue* pipeline_parts::find_queue(const std::string& name)
{
    const auto found = std::ranges::find_if(queues_, [&name](const auto& each) {
        return each.description.name == name;
    });
    return found == queues_.end() ? nullptr : &*found;
}

}  // namespace sluice::pipeline
