// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/races.hpp"
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/padding.hpp>
#include <sluice/queue/padding_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/shuffle_queue.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <future>
#include <span>
#include <vector>

// Four producers and four consumers on two threads, with single elements and with batches:
// everything that was sent arrives once, and what one producer sent arrives in its order.

namespace queue_mpmc {

using namespace sluice;
using namespace sluice::stress;
using boost::asio::awaitable;

constexpr std::size_t producers = 4;
constexpr std::size_t consumers = 4;
constexpr std::size_t rows = 3;
constexpr std::size_t per_producer = scaled(30'000) / (1 + rows) * (1 + rows);
constexpr std::size_t all = producers * per_producer;

struct item
{
    std::size_t producer;
    std::size_t number;

    friend bool operator<(const item& a, const item& b) noexcept
    {
        return a.number < b.number;
    }
    friend void pad_rows(std::span<item> /*rows*/) noexcept {}
};

template <class Queue>
awaitable<void> produce(Queue& q, std::size_t producer)
{
    for (std::size_t number = 0; number < per_producer; number += 1 + rows) {
        co_await q.enqueue(item{producer, number});
        std::array<item, rows> more;
        for (std::size_t i = 0; i < rows; ++i)
            more[i] = {producer, number + 1 + i};
        require(co_await q.enqueue_many(more) == rows, "enqueue_many is short");
    }
}

class checker
{
public:
    explicit checker(attendance& seen) : seen_(seen) {}

    void note(const item& got)
    {
        seen_.note(got.producer * per_producer + got.number);
        in_order_ = in_order_ && last_[got.producer] <= got.number;
        last_[got.producer] = got.number;
    }

    // As far as one consumer can see.
    [[nodiscard]] bool in_order() const noexcept { return in_order_; }

private:
    attendance& seen_;
    std::array<std::size_t, producers> last_{};
    bool in_order_ = true;
};

template <class Queue>
awaitable<bool> consume(Queue& q, attendance& seen)
{
    checker check(seen);
    for (;;) {
        const auto one = co_await q.next();
        if (!one)
            break;
        check.note(*one);
        // Not more than a priority_queue of capacity 1 can ever give.
        const auto [some_error, some] = co_await q.dequeue_some(4).as_tuple();
        for (const item& got : some)
            check.note(got);
        const auto [error, batch] = co_await q.dequeue_up_to(1).as_tuple();
        require(
            !error || error == errc::end_of_queue,
            "dequeue_up_to: " + error.message()
        );
        for (const item& got : batch)
            check.note(got);
    }
    co_return check.in_order();
}

template <class Queue>
void exchange(typename Queue::options_type options, bool expects_order)
{
    io_context_pool pool(2);
    Queue q(pool, options);
    attendance seen(all);
    std::vector<std::future<void>> sent;
    std::vector<std::future<bool>> received;
    for (std::size_t i = 0; i < producers; ++i)
        sent.push_back(co_spawn(pool.context(), produce(q, i), boost::asio::use_future));
    for (std::size_t i = 0; i < consumers; ++i)
        received.push_back(
            co_spawn(pool.context(), consume(q, seen), boost::asio::use_future)
        );
    for (auto& one : sent)
        one.get();
    q.close();
    for (auto& one : received) {
        const bool in_order = one.get();
        BOOST_TEST((in_order || !expects_order));
    }
    const queue_stats stats = q.stats();
    BOOST_TEST(seen.missing() == 0U);
    BOOST_TEST(stats.enqueued == all);
    BOOST_TEST(stats.dequeued == all);
    BOOST_TEST(stats.returned == 0U);
    BOOST_TEST(stats.size == 0u);
}

}  // namespace queue_mpmc

BOOST_AUTO_TEST_SUITE(queue_mpmc)

BOOST_AUTO_TEST_CASE(fifo_rendezvous)
{
    exchange<fifo_queue<item>>({.capacity = 0}, true);
}

BOOST_AUTO_TEST_CASE(fifo_of_one)
{
    exchange<fifo_queue<item>>({.capacity = 1}, true);
}

BOOST_AUTO_TEST_CASE(fifo_of_64)
{
    exchange<fifo_queue<item>>({.capacity = 64}, true);
}

BOOST_AUTO_TEST_CASE(fifo_unbounded)
{
    exchange<fifo_queue<item>>({.capacity = unbounded}, true);
}

BOOST_AUTO_TEST_CASE(shuffle_that_keeps_some_back)
{
    exchange<shuffle_queue<item>>(
        {.capacity = 64, .min_after_dequeue = 16, .seed = 1},
        false
    );
}

BOOST_AUTO_TEST_CASE(priority_of_16)
{
    exchange<priority_queue<item>>({.capacity = 16}, false);
}

BOOST_AUTO_TEST_CASE(padding_of_64)
{
    exchange<padding_queue<item>>({.capacity = 64}, true);
}

BOOST_AUTO_TEST_SUITE_END()
