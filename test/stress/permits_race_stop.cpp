// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/races.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>

// Stages that reserve, dequeue and fill are at work when a stop comes. Each element is in one of
// the queues or was received, and no place is kept.

namespace permits_race_stop {

using namespace sluice;
using namespace sluice::stress;
using boost::asio::awaitable;

using queue = fifo_queue<std::size_t>;

constexpr std::size_t total = 64;

awaitable<void> stage(queue& in, queue& out)
{
    for (;;) {
        auto place = co_await out.reserve();
        place.fill(co_await in.dequeue());
    }
}

// Also tries what a stage does not: to take a place and return it.
awaitable<void> consume(queue& out, std::atomic<std::size_t>& received)
{
    for (;;) {
        co_await out.dequeue();
        ++received;
        auto place = out.try_reserve();
        place.drop();
    }
}

void race(io_context_pool& pool, bool closes, dice& chance)
{
    queue in(pool, {.capacity = total});
    queue out(pool, {.capacity = 1 + chance.below(4)});
    std::atomic<std::size_t> received{0};
    for (std::size_t i = 0; i < total; ++i)
        require(in.try_enqueue(std::size_t{i}), "the queue is full");
    coordinator scope(pool);
    if (closes)
        scope.close_on_stop(out);
    for (int i = 0; i < 2; ++i)
        scope.spawn("stage", stage(in, out));
    scope.spawn("consumer", consume(out, received));
    dawdle(chance, 20'000);
    scope.request_stop();
    scope.async_join(boost::asio::use_future).get();
    require(received + in.size() + out.size() == total, "an element is lost");
    require(out.stats().places == 0, "a place is lost");
}

void races(bool closes)
{
    io_context_pool pool(2);
    dice chance(1);
    for (std::size_t i = 0; i < scaled(3'000); ++i)
        race(pool, closes, chance);
}

}  // namespace permits_race_stop

BOOST_AUTO_TEST_SUITE(permits_race_stop)

BOOST_AUTO_TEST_CASE(stop_loses_neither_elements_nor_places)
{
    BOOST_CHECK_NO_THROW(races(false));
}

BOOST_AUTO_TEST_CASE(stop_that_closes_loses_neither)
{
    BOOST_CHECK_NO_THROW(races(true));
}

BOOST_AUTO_TEST_SUITE_END()
