// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/races.hpp"
#include <sluice/close_mode.hpp>
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <future>
#include <memory>
#include <stdexcept>
#include <vector>

// Producers and consumers are at work when the queue closes, in one of its three ways, or
// dies. All come to an end, and what the producers were told has gone in has come out
// or is still in there.

namespace close_races_enqueue {

using namespace sluice;
using namespace sluice::stress;
using boost::asio::awaitable;

using queue = fifo_queue<std::size_t>;

enum class ending
{
    drain,
    cancel_pending,
    with_a_cause
};

struct counts
{
    std::atomic<std::size_t> accepted{0};
    std::atomic<std::size_t> delivered{0};
};

awaitable<void> produce(queue& q, counts& sum)
{
    for (;;) {
        const auto [error] = co_await q.enqueue(std::size_t{1}).as_tuple();
        if (error) {
            require(error == errc::queue_closed, "enqueue: " + error.message());
            co_return;
        }
        ++sum.accepted;
    }
}

// A cause without a code of its own is told as a failure of the input.
awaitable<void> consume(queue& q, counts& sum)
{
    for (;;) {
        const auto [error, item] = co_await q.dequeue().as_tuple();
        if (error) {
            require(
                error == errc::end_of_queue || error == errc::input_failed,
                "dequeue: " + error.message()
            );
            co_return;
        }
        require(item.has_value(), "a success without an element");
        ++sum.delivered;
    }
}

void race(io_context_pool& pool, std::size_t capacity, ending how, dice& chance)
{
    counts sum;
    queue q(pool, {.capacity = capacity});
    std::vector<std::future<void>> all;
    for (int i = 0; i < 2; ++i) {
        all.push_back(co_spawn(pool.context(), produce(q, sum), boost::asio::use_future));
        all.push_back(co_spawn(pool.context(), consume(q, sum), boost::asio::use_future));
    }
    dawdle(chance, 20'000);
    switch (how) {
    case ending::drain:
        q.close();
        break;
    case ending::cancel_pending:
        q.close(close_mode::cancel_pending);
        break;
    case ending::with_a_cause:
        q.close(std::make_exception_ptr(std::runtime_error("cause")));
        break;
    }
    for (auto& one : all)
        require(one.wait_for(patience) == std::future_status::ready, "somebody hangs");
    for (auto& one : all)
        one.get();
    require(q.size() == 0, "consumers have left elements behind");
    require(sum.accepted == sum.delivered, "accepted and delivered differ");
}

void races(ending how)
{
    io_context_pool pool(2);
    dice chance(1);
    std::size_t done = 0;
    for (std::size_t i = 0; i < scaled(2000); ++i)
        for (const std::size_t capacity :
             {std::size_t{0}, std::size_t{1}, std::size_t{8}}) {
            race(pool, capacity, how, chance);
            ++done;
        }
    BOOST_TEST(done == 3 * scaled(2000));
}

}  // namespace close_races_enqueue

BOOST_AUTO_TEST_SUITE(close_races_enqueue)

BOOST_AUTO_TEST_CASE(close_lets_producers_finish)
{
    races(ending::drain);
}

BOOST_AUTO_TEST_CASE(close_cancels_pending)
{
    races(ending::cancel_pending);
}

BOOST_AUTO_TEST_CASE(close_with_a_cause)
{
    races(ending::with_a_cause);
}

// A queue dies while operations wait on it and others are being completed by another thread.
BOOST_AUTO_TEST_CASE(destruction_resolves_all_waiters)
{
    io_context_pool pool(2);
    dice chance(1);
    std::atomic<std::size_t> completed = 0;
    std::size_t started = 0;
    for (std::size_t i = 0; i < scaled(20'000); ++i) {
        auto q = std::make_unique<queue>(pool, queue_options{.capacity = 1});
        for (int k = 0; k < 3; ++k) {
            q->async_enqueue(std::size_t{1}, [&](error_code) { ++completed; });
            q->async_dequeue_many(2, [&](error_code, std::vector<std::size_t>) {
                ++completed;
            });
            started += 2;
        }
        dawdle(chance, 300);
    }
    pool.join();
    BOOST_TEST(completed == started);
}

BOOST_AUTO_TEST_SUITE_END()
