// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: P1 P2 P3 P4 P5 P6 P7 P8 P9 P10 P11 P12

#include "support/allocation_counter.hpp"
#include "support/counted.hpp"
#include "support/foreign_task.hpp"
#include "support/io_fixture.hpp"
#include "support/native_await.hpp"
#include "support/recording_handler.hpp"
#include "support/run_threads.hpp"
#include "support/tracking_executor.hpp"
#include <sluice/close_mode.hpp>
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/select.hpp>
#include <sluice/queue/shuffle_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// The promises of the library by number, one or two cases each: what a user relies on. Their
// details are in the other files of this folder, and under load in test/stress.

namespace promises {

using namespace sluice;
using namespace sluice::test;
using namespace std::chrono_literals;
using asio::awaitable;

using queue = fifo_queue<int>;

struct fixture : counted_fixture, io_fixture
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

// P1 Cancel-safe ------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(p1_whatever_gives_up_leaves_every_element_in_order)
{
    fifo_queue<counted> q(ctx, {.capacity = 2});
    const auto batch = q.async_dequeue_many(3, record.cancellable());
    const auto handed = q.async_dequeue(record.cancellable());
    for (int i = 0; i < 5; ++i)
        BOOST_TEST(q.try_enqueue(counted(i)));
    run_until_done([&]() -> awaitable<void> {
        const auto [error, late] = co_await q.dequeue_many(9).within(1ms).as_tuple();
        BOOST_TEST((error == errc::timed_out));
    });
    // batch and handed have completed by now; two were held by the batch that timed out.
    batch.check_success();
    handed.check_success();
    BOOST_TEST(q.try_dequeue()->value() == 4);

    const auto again = q.async_dequeue(record.cancellable());
    BOOST_TEST(q.try_enqueue(counted(5)));
    BOOST_TEST(q.try_enqueue(counted(6)));
    again.cancel();
    run();
    BOOST_TEST(q.try_dequeue()->value() == 5);
    BOOST_TEST(q.try_dequeue()->value() == 6);
}

// P2 Truthful ---------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(p2_success_means_in_the_queue_or_with_a_consumer)
{
    queue q(ctx, {.capacity = 1});
    const auto in = q.async_enqueue(1, record.cancellable());
    const auto waiting = q.async_enqueue(2, record.cancellable());
    in.cancel();  // too late, it is in
    waiting.cancel();
    run();
    in.check_success();
    waiting.check_error(asio::error::operation_aborted);
    BOOST_TEST(q.size() == 1U);

    queue meeting(ctx, {.capacity = 0});
    const auto refused = meeting.async_enqueue(1, record);
    meeting.close(close_mode::cancel_pending);
    run();
    refused.check_error(errc::queue_closed);
    BOOST_TEST(meeting.stats().enqueued == 0U);
}

// P3 No operation waits forever ---------------------------------------------------------

BOOST_AUTO_TEST_CASE(p3_close_resolves_both_sides_at_every_capacity)
{
    for (const std::size_t capacity : std::vector<std::size_t>{0, 1, 64, unbounded}) {
        BOOST_TEST_CONTEXT("capacity " << capacity)
        {
            queue q(ctx, {.capacity = capacity});
            const auto consumer = q.async_dequeue(record);
            const auto batch = q.async_dequeue_many(3, record);
            run();
            q.close();
            run();
            consumer.check_error(errc::end_of_queue);
            batch.check_error(errc::end_of_queue);

            queue full(ctx, {.capacity = capacity == unbounded ? 1 : capacity});
            while (full.try_enqueue(1))
                ;
            const auto producer = full.async_enqueue(2, record);
            run();
            full.close(close_mode::cancel_pending);
            const auto later = full.async_enqueue(3, record);
            run();
            producer.check_error(errc::queue_closed);
            later.check_error(errc::queue_closed);
        }
    }
}

BOOST_AUTO_TEST_CASE(p3_stop_resolves_everything_and_later_operations_at_once)
{
    coordinator coord(ctx);
    queue q(ctx, {.capacity = 0});
    coord.close_on_stop(q);
    const auto outside = q.async_enqueue(1, record);
    coord.spawn("waits", [&]() -> awaitable<void> {
        queue other(ctx, {.capacity = sluice::unbounded});
        (void)co_await other.dequeue();
    });
    const auto join = coord.async_join(record);
    run();
    join.check_pending();
    coord.request_stop();
    run();
    outside.check_error(errc::queue_closed);
    join.check_success();
    const auto late = coord.async_wait_for_stop(record);
    const auto refused = q.async_enqueue(2, record);
    run();
    late.check_success();
    refused.check_error(errc::queue_closed);
}

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

// P5 Fair -------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(p5_later_operation_never_passes_a_waiter)
{
    queue q(ctx, {.capacity = 4});
    const auto batch = q.async_dequeue_many(3, record);
    BOOST_TEST(q.try_enqueue(1));
    BOOST_TEST(!q.try_dequeue().has_value());
    const auto single = q.async_dequeue(record);
    BOOST_TEST(q.try_enqueue(2));
    run();
    single.check_pending();
    BOOST_TEST(q.try_enqueue(3));
    BOOST_TEST(q.try_enqueue(4));
    run();
    batch.check_success().check_value(std::vector{1, 2, 3});
    BOOST_TEST((single.value() == 4));
}

// P6 On your executor -------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(p6_completion_runs_on_its_own_executor_never_inline)
{
    const tracking_executor own(ctx.get_executor());
    queue q(ctx, {.capacity = sluice::unbounded});
    const auto waiting = q.async_dequeue(record.on(own));
    {
        const initiation_guard guard;
        BOOST_TEST(q.try_enqueue(1));
        BOOST_TEST(q.try_enqueue(2));
    }
    const auto ready = q.async_dequeue(record.on(own));
    waiting.check_pending();
    ready.check_pending();
    run();
    waiting.check_success().check_executor(own);
    ready.check_success().check_executor(own);
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

// P8 First error ------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(p8_join_throws_the_first_real_error)
{
    coordinator coord(ctx);
    queue q(ctx, {.capacity = sluice::unbounded});
    coord.close_on_stop(q);
    coord.spawn("victim", [&]() -> awaitable<void> {
        for (;;)
            (void)co_await q.dequeue();
    });
    coord.spawn("culprit", []() -> awaitable<void> {
        throw std::runtime_error("the disk is full");
        co_return;
    });
    const auto join = coord.async_join(record);
    run();
    join.check_done();
    BOOST_CHECK_EXCEPTION(
        std::rethrow_exception(join.exception()),
        std::runtime_error,
        [](const std::runtime_error& e) {
            return e.what() == std::string("the disk is full");
        }
    );
    BOOST_TEST(coord.exceptions().size() == 1U);
}

// P9 Tasks that still run are named -----------------------------------------------------

BOOST_AUTO_TEST_CASE(p9_join_names_who_still_runs_and_what_it_waits_on)
{
    coordinator coord(ctx, {.stop_grace_period = 1ms});
    queue q(ctx, {.capacity = 1, .name = "lines"});
    coord.spawn("reader", [&]() -> awaitable<void> {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        (void)co_await q.dequeue_many(3);
    });
    run();
    coord.request_stop();
    const auto join = coord.async_join(record);
    run_until([&] { return join.done(); });
    join.check_error(errc::tasks_still_running);
    try {
        std::rethrow_exception(join.exception());
    } catch (const system_error& e) {
        const std::string text = e.what();
        BOOST_TEST(text.find("reader") != text.npos);
        BOOST_TEST(text.find("dequeue_many(3) on queue 'lines'") != text.npos);
    }
    BOOST_TEST(coord.tasks().size() == 1U);
    q.close();
    run();
    BOOST_TEST(coord.tasks().empty());
}

// P10 Any element -----------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(p10_move_only_elements_without_default_constructor)
{
    fifo_queue<std::unique_ptr<counted>> q(ctx, {.capacity = sluice::unbounded});
    fifo_queue<counted> plain(ctx, {.capacity = sluice::unbounded});
    run_until_done([&]() -> awaitable<void> {
        co_await q.enqueue(std::make_unique<counted>(1));
        BOOST_TEST((co_await q.dequeue())->value() == 1);
        co_await plain.enqueue(counted(2));
        BOOST_TEST((co_await plain.dequeue_many(1)).front().value() == 2);
    });
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

// P12 Clean death -----------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(p12_any_order_of_death_leaks_nothing_and_runs_nothing)
{
    for (const bool queue_first : {false, true}) {
        auto dying = std::make_unique<asio::io_context>();
        auto q =
            std::make_unique<fifo_queue<counted>>(*dying, queue_options{.capacity = 1});
        auto coord = std::make_unique<coordinator>(*dying);
        const auto op = q->async_dequeue_many(2, record);
        coord->spawn("task", [&]() -> awaitable<void> {
            (void)co_await q->dequeue();
            BOOST_ERROR("a task ran on after its death");
        });
        dying->poll();
        BOOST_TEST(q->try_enqueue(counted(1)));
        if (queue_first) {
            q.reset();
            coord.reset();
        }
        dying.reset();
        op.check_abandoned();
    }
    BOOST_TEST(alive() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
