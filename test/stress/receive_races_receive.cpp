// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/races.hpp"

#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <thread>
#include <variant>

// Half a million times `a.async_dequeue() || b.async_dequeue()`, while another thread sends one
// element to each of the two queues: one of the receives gets its element, and the element of
// the other is where it was.

namespace {

using namespace sluice;
using namespace sluice::stress;
using boost::asio::awaitable;
using boost::asio::use_awaitable;

using queue = fifo_queue<std::size_t>;

awaitable<void> race(queue& a, queue& b, starter& races, std::size_t count)
{
    using namespace boost::asio::experimental::awaitable_operators;
    const starter_guard guard(races);
    for (std::size_t number = 0; number < count; ++number) {
        races.begin(number + 1);
        const auto first = co_await (
            a.async_dequeue(use_awaitable) || b.async_dequeue(use_awaitable)
        );
        const auto one = std::visit([](auto item) { return item; }, first);
        require(one == number, "the winner has an element of another race");
        queue& other = first.index() == 0 ? b : a;
        const std::size_t two = co_await other.dequeue().within(patience);
        require(two == number, "the loser has lost its element");
    }
}

void send(queue& a, queue& b, const starter& races)
{
    dice chance(1);
    for (std::size_t number = 0; races.await(number + 1); ++number) {
        dawdle(chance, 300);
        queue& first = chance.once_in(2) ? a : b;
        (void)first.try_enqueue(std::size_t{number});
        dawdle(chance, 300);
        (void)(&first == &a ? b : a).try_enqueue(std::size_t{number});
    }
}

BOOST_AUTO_TEST_SUITE(receive_races_receive)

BOOST_AUTO_TEST_CASE(on_one_thread)
{
    io_context_pool pool(1);
    queue a(pool);
    queue b(pool);
    starter races;
    std::jthread producer([&] { send(a, b, races); });
    pool.run(race(a, b, races, scaled(350'000)));
    BOOST_TEST(a.size() + b.size() == 0u);
}

BOOST_AUTO_TEST_CASE(on_a_strand_of_two_threads)
{
    io_context_pool pool(2);
    queue a(pool);
    queue b(pool);
    starter races;
    std::jthread producer([&] { send(a, b, races); });
    boost::asio::co_spawn(
        boost::asio::make_strand(pool.context()),
        race(a, b, races, scaled(100'000)),
        boost::asio::use_future
    )
        .get();
    BOOST_TEST(a.size() + b.size() == 0u);
}

// Both have their element before the receives begin.
BOOST_AUTO_TEST_CASE(both_ready_at_once)
{
    io_context_pool pool(1);
    queue a(pool);
    queue b(pool);
    pool.run([&]() -> awaitable<void> {
        using namespace boost::asio::experimental::awaitable_operators;
        for (std::size_t number = 0; number < scaled(50'000); ++number) {
            require(a.try_enqueue(std::size_t{number}), "a is full");
            require(b.try_enqueue(std::size_t{number}), "b is full");
            const auto first = co_await (
                a.async_dequeue(use_awaitable) || b.async_dequeue(use_awaitable)
            );
            require(a.size() + b.size() == 1, "one of the two has lost its element");
            (void)(first.index() == 0 ? b : a).try_dequeue();
        }
    });
    BOOST_TEST(a.size() + b.size() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
