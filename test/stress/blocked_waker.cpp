// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/races.hpp"
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <semaphore>

// Two coroutines pass an element to and fro, so fast that each wakes the other on its own thread.
// Now and then one of them blocks that thread until the other has gone on: it has to, on
// another thread.

namespace blocked_waker {

using namespace sluice;
using boost::asio::awaitable;

using queue = fifo_queue<std::size_t>;

struct table
{
    explicit table(io_context_pool& pool)
        : there(pool, {.capacity = 1}), back(pool, {.capacity = 1})
    {
    }

    queue there;
    queue back;
    std::binary_semaphore seen{0};
};

constexpr std::size_t blocks_after = 1'000;

awaitable<void> serve(table& t, std::size_t rounds)
{
    for (std::size_t round = 1; round <= rounds; ++round) {
        co_await t.there.enqueue(round);
        if (round % blocks_after == 0)
            t.seen.acquire();
        stress::require(co_await t.back.dequeue() == round, "the number came back");
    }
}

awaitable<void> give_back(table& t, std::size_t rounds)
{
    for (std::size_t round = 1; round <= rounds; ++round) {
        const std::size_t item = co_await t.there.dequeue();
        if (item % blocks_after == 0)
            t.seen.release();
        co_await t.back.enqueue(item);
    }
}

}  // namespace blocked_waker

BOOST_AUTO_TEST_SUITE(blocked_waker)

BOOST_AUTO_TEST_CASE(goes_on_when_whom_it_woke_has_gone_on)
{
    const std::size_t rounds = stress::scaled(100) * blocks_after;
    io_context_pool pool(2);
    table t(pool);
    auto served =
        boost::asio::co_spawn(pool.context(), serve(t, rounds), boost::asio::use_future);
    auto given = boost::asio::co_spawn(
        pool.context(),
        give_back(t, rounds),
        boost::asio::use_future
    );
    served.get();
    given.get();
}

BOOST_AUTO_TEST_SUITE_END()
