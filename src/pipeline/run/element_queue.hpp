// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/coordinator.hpp>
#include <sluice/monitor/monitor.hpp>
#include <sluice/pipeline/element.hpp>
#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/stage_context.hpp>
#include <sluice/queue/feeder.hpp>
#include <sluice/queue/queue_stats.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace sluice::pipeline {

// A described queue of any type. One virtual call moves a whole batch.
class element_queue
{
public:
    static std::unique_ptr<element_queue> make(
        const boost::asio::any_io_executor& executor,
        const queue_description& description
    );

    element_queue() = default;
    element_queue(const element_queue&) = delete;
    element_queue& operator=(const element_queue&) = delete;
    virtual ~element_queue() = default;

    // None at the end of the queue.
    virtual boost::asio::awaitable<std::vector<element>> take(read_request request) = 0;

    // Moves all elements out and leaves the vector empty.
    virtual boost::asio::awaitable<void> put(std::vector<element>& elements) = 0;

    // Moves in as many as possible without waiting, from the first on; gives how many.
    virtual std::size_t try_put(std::span<element> elements) = 0;

    // Takes the longer the more wait.
    [[nodiscard]] virtual queue_stats stats() const = 0;

    // For figures, in constant time: whether a take would wait now, or a put of so many.
    [[nodiscard]] virtual bool makes_takes_wait() const = 0;
    [[nodiscard]] virtual bool makes_puts_wait(std::size_t elements) const = 0;

    virtual void add_to(monitor& watch) const = 0;

    // One more who fills this queue; the last of them to go closes it.
    virtual feeder feed() = 0;

    // Closes it when the coordinator stops. A queue with workers of its own needs no such call.
    virtual void close_on_stop(coordinator& tasks) = 0;

    // Workers that fill this queue; the last of them to end closes it.
    virtual std::unique_ptr<queue_runner> make_runner(
        std::vector<queue_runner::operation> workers,
        queue_runner_options options
    ) = 0;
};

}  // namespace sluice::pipeline
