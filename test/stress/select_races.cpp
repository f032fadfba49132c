// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/races.hpp"
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <future>
#include <utility>
#include <variant>
#include <vector>

// Selects that share queues, from several threads: each element is taken by exactly one of
// them, and exactly one branch of each happens.

namespace select_races {

using namespace sluice;
using namespace sluice::stress;
using boost::asio::awaitable;
using boost::asio::use_future;

using queue = fifo_queue<std::size_t>;

constexpr std::size_t count = scaled(60'000);

awaitable<void> send(queue& q, std::size_t first)
{
    for (std::size_t number = first; number < first + count; ++number)
        co_await q.enqueue(std::size_t{number});
}

// Each waits on the queues in another order.
awaitable<void> select_dequeues(queue& a, queue& b, attendance& seen)
{
    for (;;) {
        const auto [error, branch, taken] =
            co_await select(a.dequeue(), b.dequeue()).within(patience).as_tuple();
        if (error) {
            require(error == errc::end_of_queue, "select: " + error.message());
            break;
        }
        std::visit([&](std::size_t number) { seen.note(number); }, *taken);
    }
    for (queue* q : {&a, &b})
        while (const auto number = co_await q->next())
            seen.note(*number);
}

awaitable<void> dequeue_from_any(queue& a, queue& b, attendance& seen)
{
    const std::array queues{&a, &b};
    for (;;) {
        // The limit is often about due when an element comes.
        const auto [error, branch, taken] =
            co_await dequeue_any(queues).within(std::chrono::microseconds(5)).as_tuple();
        if (error == errc::end_of_queue)
            break;
        require(!error || error == errc::timed_out, "dequeue_any: " + error.message());
        if (taken)
            seen.note(*taken);
    }
    for (queue* q : queues)
        while (const auto number = co_await q->next())
            seen.note(*number);
}

// The batch holds what there is of one queue while an element of the other is taken. It resumes,
// and is destroyed, as soon as it may.
awaitable<void> select_batch(
    queue& many,
    queue& one,
    std::chrono::nanoseconds limit,
    attendance& seen
)
{
    for (;;) {
        const auto [error, branch, taken] =
            co_await select(many.dequeue_many(3), one.dequeue()).within(limit).as_tuple();
        if (error == errc::end_of_queue)
            break;
        require(!error || error == errc::timed_out, "select: " + error.message());
        if (!taken)
            continue;
        if (const auto* number = std::get_if<std::size_t>(&*taken))
            seen.note(*number);
        else
            for (const std::size_t each : std::get<0>(*taken))
                seen.note(each);
    }
    for (queue* q : {&many, &one})
        while (const auto number = co_await q->next())
            seen.note(*number);
}

awaitable<void> dequeue_all(queue& q, attendance& seen)
{
    while (const auto number = co_await q.next())
        seen.note(*number);
}

void share(std::size_t capacity)
{
    io_context_pool pool(2);
    queue a(pool, {.capacity = capacity});
    queue b(pool, {.capacity = capacity});
    attendance seen(2 * count);
    const auto spawn = [&](awaitable<void> body) {
        return co_spawn(pool.context(), std::move(body), use_future);
    };
    std::vector<std::future<void>> takers;
    takers.push_back(spawn(select_dequeues(a, b, seen)));
    takers.push_back(spawn(select_dequeues(b, a, seen)));
    takers.push_back(spawn(dequeue_from_any(a, b, seen)));
    auto into_a = spawn(send(a, 0));
    auto into_b = spawn(send(b, count));
    into_a.get();
    into_b.get();
    a.close();
    b.close();
    for (auto& taker : takers)
        taker.get();
    BOOST_TEST(seen.missing() == 0U);
}

}  // namespace select_races

BOOST_AUTO_TEST_SUITE(select_races)

BOOST_AUTO_TEST_CASE(consumers_share_two_queues)
{
    share(8);
}

BOOST_AUTO_TEST_CASE(consumers_share_two_rendezvous)
{
    share(0);
}

// What a batch held when it lost goes to those behind it, which may be batches of selects, too.
BOOST_AUTO_TEST_CASE(batches_that_lose_let_go)
{
    io_context_pool pool(3);
    queue a(pool, {.capacity = 4});
    queue b(pool, {.capacity = 4});
    attendance seen(2 * count);
    const auto spawn = [&](awaitable<void> body) {
        return co_spawn(pool.context(), std::move(body), use_future);
    };
    constexpr auto brief = std::chrono::microseconds(5);  // often about due
    std::vector<std::future<void>> takers;
    takers.push_back(spawn(select_batch(a, b, patience, seen)));
    takers.push_back(spawn(select_batch(b, a, patience, seen)));
    takers.push_back(spawn(select_batch(a, b, brief, seen)));
    takers.push_back(spawn(dequeue_all(a, seen)));
    takers.push_back(spawn(dequeue_all(b, seen)));
    auto into_a = spawn(send(a, 0));
    auto into_b = spawn(send(b, count));
    into_a.get();
    into_b.get();
    a.close();
    b.close();
    for (auto& taker : takers)
        taker.get();
    BOOST_TEST(seen.missing() == 0U);
}

// Both sides of a rendezvous are selects, so that two claims are needed at once.
BOOST_AUTO_TEST_CASE(selects_meet_selects)
{
    io_context_pool pool(2);
    queue a(pool, {.capacity = 0});
    queue b(pool, {.capacity = 0});
    attendance seen(count);
    auto sender = co_spawn(
        pool.context(),
        [&]() -> awaitable<void> {
            for (std::size_t number = 0; number < count; ++number) {
                std::size_t in_a = number;
                std::size_t in_b = number;
                (void
                )co_await select(a.enqueue(std::move(in_a)), b.enqueue(std::move(in_b)))
                    .within(patience);
            }
        },
        use_future
    );
    const auto receive = [&]() -> awaitable<void> {
        for (;;) {
            const auto [error, branch, taken] =
                co_await select(b.dequeue(), a.dequeue()).within(patience).as_tuple();
            if (error) {
                require(error == errc::end_of_queue, "select: " + error.message());
                co_return;
            }
            std::visit([&](std::size_t number) { seen.note(number); }, *taken);
        }
    };
    auto one = co_spawn(pool.context(), receive, use_future);
    auto two = co_spawn(pool.context(), receive, use_future);
    sender.get();
    a.close();
    b.close();
    one.get();
    two.get();
    BOOST_TEST(seen.missing() == 0U);
}

// One select both sends and receives: an element that did not go out is still there.
BOOST_AUTO_TEST_CASE(select_of_enqueue_and_dequeue)
{
    io_context_pool pool(2);
    queue there(pool, {.capacity = 1});
    queue back(pool, {.capacity = 1});
    attendance arrived(count);
    std::size_t returned = 0;
    auto echo = co_spawn(
        pool.context(),
        [&]() -> awaitable<void> {
            while (const auto number = co_await there.next())
                co_await back.enqueue(std::size_t{*number});
            back.close();
        },
        use_future
    );
    pool.run([&]() -> awaitable<void> {
        for (std::size_t number = 0; number < count;) {
            const auto done =
                co_await select(back.dequeue(), there.enqueue(number)).within(patience);
            if (done.index() == 1) {
                ++number;
            } else {
                arrived.note(std::get<0>(done));
                ++returned;
            }
        }
        there.close();
        while (const auto number = co_await back.next()) {
            arrived.note(*number);
            ++returned;
        }
    });
    echo.get();
    BOOST_TEST(returned == count);
    BOOST_TEST(arrived.missing() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
