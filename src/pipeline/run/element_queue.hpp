// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/coordinator.hpp>
#include <sluice/monitor/monitor.hpp>
#include <sluice/pipeline/element.hpp>
#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/remote_queue.hpp>
#include <sluice/pipeline/stage_context.hpp>
#include <sluice/queue/feeder.hpp>
#include <sluice/queue/queue_stats.hpp>
#include <sluice/queue/semaphore.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
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

    // One on a server, for workers that need not know it: what they take is acknowledged at once.
    // It must outlive this.
    static std::unique_ptr<element_queue> make(remote_queue& queue);

    element_queue() = default;
    element_queue(const element_queue&) = delete;
    element_queue& operator=(const element_queue&) = delete;
    virtual ~element_queue() = default;

    // None at the end of the queue.
    virtual boost::asio::awaitable<std::vector<element>> take(read_request request) = 0;

    // Moves all elements out and leaves the vector empty.
    virtual boost::asio::awaitable<void> put(std::vector<element>& elements) = 0;

    // Before the first try_put() of elements: gives them the form in which they are stored.
    virtual void prepare(std::span<element> /*elements*/) const {}

    // Moves in as many as possible without waiting, from the first on; gives how many.
    virtual std::size_t try_put(std::span<element> elements) = 0;

    // Takes the longer the more wait.
    [[nodiscard]] virtual queue_stats stats() const = 0;

    // For figures, in constant time: whether a take would wait now, or a put of so many. No put
    // waits at the entrance of a queue that drops elements.
    [[nodiscard]] virtual bool makes_takes_wait() const = 0;
    [[nodiscard]] virtual bool makes_puts_wait(std::size_t elements) const = 0;

    // The monitor sees it, and a stop of the tasks closes it. Does nothing for one on a server,
    // which has remote_queue::snapshot() and end_with().
    virtual void add_to(monitor& /*watch*/, coordinator& /*tasks*/) {}

    // One more who fills this queue; the last of them to go closes it. One on a server stays
    // open, because others feed it elsewhere; see remote_queue::note_end_of().
    virtual feeder feed() { return {}; }

    // How often workers had to wait at its ends, which they count themselves.
    std::atomic<std::uint64_t> waits_to_take = 0;
    std::atomic<std::uint64_t> waits_to_put = 0;
};

// The queues that the workers of a runner put into. Of several each gets every element, all in
// the same order, and who puts waits for the slowest.
class output_queues
{
public:
    explicit output_queues(const boost::asio::any_io_executor& executor);

    // Before the first put().
    void add(element_queue& added) { queues_.push_back(&added); }

    [[nodiscard]] bool empty() const noexcept { return queues_.empty(); }

    // Moves all elements in and leaves the vector empty. If it is cancelled some queues have got
    // more than others.
    [[nodiscard]] boost::asio::awaitable<void> put(std::vector<element>& elements);

private:
    [[nodiscard]] boost::asio::awaitable<void> put_into_each(
        std::vector<element>& elements
    );

    std::vector<element_queue*> queues_;
    semaphore turn_;  // its only permit: who puts into several
};

}  // namespace sluice::pipeline
