// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/races.hpp"
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <thread>
#include <variant>

// A million times `a.async_dequeue() || b.async_dequeue()`, while another thread sends
// numbers in order to each of the two queues. One of the receives gets its element; that of
// the other must be where it was, which its next place in the order proves.

namespace receive_races_receive {

using namespace sluice;
using namespace sluice::stress;
using boost::asio::awaitable;
using boost::asio::use_awaitable;

using queue = fifo_queue<std::size_t>;

// Two queues and a thread that sends `count` numbers to each.
class feed
{
public:
    feed(io_context_pool& pool, std::size_t count)
        : a(pool, {.capacity = 1}), b(pool, {.capacity = 1}), count_(count)
    {
    }

    awaitable<void> race()
    {
        using namespace boost::asio::experimental::awaitable_operators;
        const flag_on_exit guard(given_up_);
        std::array<std::size_t, 2> expected{};
        for (std::size_t i = 0; i < 2 * count_; ++i) {
            const auto first = co_await (
                a.dequeue().within(patience)(use_awaitable) ||
                b.dequeue().within(patience)(use_awaitable)
            );
            const auto item = std::visit([](auto got) { return got; }, first);
            require(
                item == expected[first.index()]++,
                "an element is missing or came twice"
            );
        }
    }

    queue a;
    queue b;

private:
    void send()
    {
        dice chance(1);
        for (std::size_t number = 0; number < count_; ++number) {
            const bool a_first = chance.once_in(2);
            dawdle(chance, 200);
            if (!push(a_first ? a : b, number, given_up_))
                return;
            dawdle(chance, 200);
            if (!push(a_first ? b : a, number, given_up_))
                return;
        }
    }

    const std::size_t count_;
    std::atomic<bool> given_up_{false};
    std::jthread producer_{[this] { send(); }};
};

}  // namespace receive_races_receive

BOOST_AUTO_TEST_SUITE(receive_races_receive)

BOOST_AUTO_TEST_CASE(on_one_thread)
{
    io_context_pool pool(1);
    feed numbers(pool, scaled(300'000));
    pool.run(numbers.race());
    BOOST_TEST(numbers.a.size() + numbers.b.size() == 0U);
}

BOOST_AUTO_TEST_CASE(on_a_strand_of_two_threads)
{
    io_context_pool pool(2);
    feed numbers(pool, scaled(100'000));
    const auto on = boost::asio::make_strand(pool.context());
    boost::asio::co_spawn(on, numbers.race(), boost::asio::use_future).get();
    BOOST_TEST(numbers.a.size() + numbers.b.size() == 0U);
}

// Both have their element before the receives begin.
BOOST_AUTO_TEST_CASE(both_ready_at_once)
{
    io_context_pool pool(1);
    queue a(pool, {.capacity = sluice::unbounded});
    queue b(pool, {.capacity = sluice::unbounded});
    pool.run([&]() -> awaitable<void> {
        using namespace boost::asio::experimental::awaitable_operators;
        for (std::size_t number = 0; number < scaled(200'000); ++number) {
            require(a.try_enqueue(std::size_t{number}), "a is full");
            require(b.try_enqueue(std::size_t{number}), "b is full");
            const auto first = co_await (
                a.async_dequeue(use_awaitable) || b.async_dequeue(use_awaitable)
            );
            require(a.size() + b.size() == 1, "one of the two has lost its element");
            (void)(first.index() == 0 ? b : a).try_dequeue();
        }
    });
    BOOST_TEST(a.size() + b.size() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
