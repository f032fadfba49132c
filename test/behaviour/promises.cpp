// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: P4 P7 P11

#include "support/allocation_counter.hpp"
#include "support/foreign_task.hpp"
#include "support/io_fixture.hpp"
#include "support/native_await.hpp"
#include "support/run_threads.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/select.hpp>
#include <sluice/queue/shuffle_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <future>
#include <stdexcept>
#include <utility>
#include <vector>

// The promises that concern all operations at once, and that no other file says.

namespace promises {

using namespace sluice;
using namespace sluice::test;
using namespace std::chrono_literals;
using asio::awaitable;

using queue = fifo_queue<int>;

struct fixture : io_fixture
{
    // Handlers that run while a coroutine runs from its start to its end. One starts it and
    // one reports its end, if it is never posted.
    template <class Body>
    std::size_t handlers_of(Body body)
    {
        const auto task = spawn(std::move(body));
        const std::size_t handlers = run();
        task.check_done();
        return handlers;
    }
};

}  // namespace promises

BOOST_FIXTURE_TEST_SUITE(promises, fixture)

// P4 From any thread --------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(p4_all_members_at_once_from_many_threads)
{
    constexpr std::size_t rounds = 200;
    io_context_pool pool(2);
    fifo_queue<std::size_t> q(pool, {.capacity = 8});
    coordinator coord(pool);
    coord.close_on_stop(q);
    std::atomic<std::size_t> in = 0;
    std::atomic<std::size_t> out = 0;
    std::vector<std::future<void>> enqueued;  // by the third thread
    run_threads(4, [&](std::size_t index) {
        for (std::size_t i = 0; i < rounds; ++i) {
            switch (index) {
            case 0:
                in += q.try_enqueue(std::size_t{i}) ? 1U : 0U;
                break;
            case 1:
                out += q.try_dequeue() ? 1U : 0U;
                break;
            case 2:
                enqueued.push_back(q.async_enqueue(i, asio::use_future));
                // The second thread may have taken that element, and no other may come.
                try {
                    out += q.dequeue().within(1ms)(asio::use_future).get() ? 1U : 0U;
                } catch (const system_error& error) {
                    if (error.code() != errc::timed_out)
                        throw;
                }
                break;
            default:
                // One element more, where the consumer above puts one back (Q3).
                if (q.stats().size > q.capacity() + 1 || q.is_closed() ||
                    coord.should_stop())
                    throw std::logic_error("impossible statistics");
                coord.spawn("short", []() -> awaitable<void> { co_return; });
                (void)coord.tasks();
            }
        }
    });
    pool.run([&]() -> awaitable<void> {
        coord.request_stop();
        co_await coord.join();
    });
    while (q.try_dequeue())
        ++out;
    for (auto& one : enqueued) {
        try {
            one.get();
            ++in;
        } catch (const system_error& error) {
            BOOST_TEST(error.code() == errc::queue_closed);
        }
    }
    BOOST_TEST(in == out);
    // A dequeue whose time ran out after it got an element has returned it.
    const queue_stats stats = q.stats();
    BOOST_TEST(stats.enqueued + stats.returned == stats.dequeued);
}

// P7 Ready means now --------------------------------------------------------------------

BOOST_TEST_DECORATOR(*native_await_only("what is ready is posted (P7)"))
BOOST_AUTO_TEST_CASE(p7_ready_operation_does_not_go_through_the_scheduler)
{
    queue q(ctx, {.capacity = 64});
    std::vector<int> rows{1, 2, 3};
    const std::size_t nothing = handlers_of([]() -> awaitable<void> { co_return; });
    const std::size_t handlers = handlers_of([&]() -> awaitable<void> {
        co_await q.enqueue(1);
        (void)co_await q.enqueue_many(rows);
        (void)co_await q.dequeue();
        (void)co_await q.next();
        (void)co_await q.dequeue_some(1);
        (void)co_await q.dequeue_many(1);
        co_await q.enqueue(1).within(1h);
        (void)co_await q.dequeue_up_to(1).within(1h).as_tuple();
        co_await q.enqueue(1);
        (void)co_await select(q.dequeue(), q.dequeue());
    });
    BOOST_TEST(handlers == nothing);
    BOOST_TEST(q.size() == 0U);
}

BOOST_TEST_DECORATOR(*native_await_only("what is ready takes memory (P7)"))
BOOST_AUTO_TEST_CASE(p7_ready_operation_allocates_nothing)
{
    queue q(ctx, {.capacity = 64});
    shuffle_queue<int> shuffled(ctx, {.capacity = 64, .min_after_dequeue = 0, .seed = 1});
    priority_queue<int> smallest(ctx, {.capacity = 64});
    std::array rows{1, 2, 3};
    for (int i = 0; i < 8; ++i) {  // the stores have room from here on
        BOOST_TEST(q.try_enqueue(int{i}));
        BOOST_TEST(shuffled.try_enqueue(int{i}));
        BOOST_TEST(smallest.try_enqueue(int{i}));
    }
    std::size_t allocations = 1;
    run_until_done([&]() -> awaitable<void> {
        const allocation_counter counter;
        for (int i = 0; i < 4; ++i) {
            (void)co_await q.dequeue();
            (void)co_await shuffled.dequeue();
            (void)co_await smallest.next();
            co_await q.enqueue(1);
            co_await shuffled.enqueue(1).within(1h);
            co_await smallest.enqueue(1);
            (void)co_await select(q.dequeue(), smallest.dequeue());
            co_await q.enqueue(1).as_tuple();
        }
        for (int i = 0; i < 3; ++i)
            (void)co_await q.dequeue();
        (void)co_await q.enqueue_many(rows);
        allocations = counter.count();
    });
    BOOST_TEST(allocations == 0U);
}

// P11 Any door --------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(p11_one_queue_through_every_door)
{
    io_context_pool pool(1);
    queue q(pool, {.capacity = sluice::unbounded});
    q.async_enqueue(1, asio::use_future).get();  // a plain thread
    BOOST_TEST(pool.run([&]() -> awaitable<int> {
        co_return co_await q.dequeue();
    }) == 1);
    const auto foreign = [&]() -> foreign_task<int> {
        co_await q.enqueue(2);
        co_return co_await q.dequeue();
    };
    auto task = foreign();
    task.start();
    BOOST_TEST(task.result() == 2);
    BOOST_TEST(q.try_enqueue(3));
    auto later = q.async_dequeue(asio::deferred);
    BOOST_TEST(q.size() == 1U);  // deferred: not started
    BOOST_TEST((std::move(later)(asio::use_future).get() == 3));
}

BOOST_AUTO_TEST_SUITE_END()
