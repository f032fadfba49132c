// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"
#include "support/run_threads.hpp"
#include "support/tracking_executor.hpp"
#include <sluice/close_mode.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <future>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// P6: a completion runs on its own associated executor, else on that of the queue; never
// inline on the stack of the other side, never from within the initiating function.

namespace executors {

using namespace sluice;
using namespace sluice::test;
using namespace std::chrono_literals;
using asio::awaitable;

using queue = fifo_queue<int>;
using io_executor = asio::io_context::executor_type;

struct fixture : io_fixture
{
    tracking_executor own{ctx.get_executor()};
    tracking_executor of_queue{ctx.get_executor()};
};

}  // namespace executors

BOOST_FIXTURE_TEST_SUITE(executors, fixture)

// Which executor ------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(handler_without_executor_runs_on_the_queue_s)
{
    queue q{asio::any_io_executor(of_queue), {.capacity = sluice::unbounded}};
    const auto waiting = q.async_dequeue(record);
    BOOST_TEST(q.try_enqueue(1));
    const auto ready = q.async_enqueue(2, record);
    run();
    waiting.check_success().check_executor(of_queue);
    ready.check_success().check_executor(of_queue);
}

BOOST_AUTO_TEST_CASE(handler_with_executor_runs_on_it)
{
    queue q{asio::any_io_executor(of_queue), {.capacity = sluice::unbounded}};
    const auto waiting = q.async_dequeue(record.on(own));
    const auto erased = q.async_dequeue(record.on(asio::any_io_executor(own)));
    BOOST_TEST(q.try_enqueue(1));
    BOOST_TEST(q.try_enqueue(2));
    run();
    waiting.check_success().check_executor(own);
    erased.check_success().check_executor(own);
    BOOST_TEST(waiting.executors() == std::vector{own.id()});
}

BOOST_AUTO_TEST_CASE(failure_runs_on_the_same_executor_as_success)
{
    queue q{asio::any_io_executor(of_queue), {.capacity = 1}};
    const auto closed = q.async_dequeue(record.on(own));
    const auto cancelled = q.async_dequeue(record.on(own).cancellable());
    const auto late = q.dequeue().within(1ms)(record.on(own));
    cancelled.cancel();
    run_until([&] { return late.done(); });
    q.close();
    const auto refused = q.async_enqueue(1, record.on(own));
    run();
    cancelled.check_error(asio::error::operation_aborted).check_executor(own);
    late.check_error(errc::timed_out).check_executor(own);
    closed.check_error(errc::end_of_queue).check_executor(own);
    refused.check_error(errc::queue_closed).check_executor(own);
}

BOOST_AUTO_TEST_CASE(select_runs_on_the_executor_of_its_first_queue)
{
    queue a{asio::any_io_executor(of_queue), {.capacity = sluice::unbounded}};
    queue b{asio::any_io_executor(own), {.capacity = sluice::unbounded}};
    const auto op = select(a.dequeue(), b.dequeue())(record);
    BOOST_TEST(b.try_enqueue(1));
    run();
    op.check_success().check_executor(of_queue);
}

BOOST_AUTO_TEST_CASE(coroutine_resumes_on_its_own_executor)
{
    queue q{asio::any_io_executor(of_queue), {.capacity = sluice::unbounded}};
    std::vector<int> where;
    const auto task = test::spawn(asio::any_io_executor(own), [&]() -> awaitable<void> {
        (void)co_await q.dequeue();
        where.push_back(current_executor());
        (void)co_await q.dequeue().within(1h);
        where.push_back(current_executor());
        (void)co_await q.dequeue().within(1ms).as_tuple();
        where.push_back(current_executor());
    });
    run();
    BOOST_TEST(q.try_enqueue(1));
    run();
    BOOST_TEST(q.try_enqueue(2));
    run();
    run_until_done(task);
    BOOST_TEST(where == (std::vector{own.id(), own.id(), own.id()}));
}

// Never inline --------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(completion_is_never_inline_on_the_other_side)
{
    queue q(ctx, {.capacity = 1});
    const auto consumer = q.async_dequeue(record);
    {
        const initiation_guard guard;
        BOOST_TEST(q.try_enqueue(1));
        consumer.check_pending();
    }
    run();
    consumer.check_success();
    BOOST_TEST(q.try_enqueue(2));
    const auto producer = q.async_enqueue(3, record);
    {
        const initiation_guard guard;
        BOOST_TEST((q.try_dequeue() == 2));
        q.close(close_mode::cancel_pending);
        producer.check_pending();
    }
    run();
    producer.check_success();
    BOOST_TEST(!consumer.inside_initiation());
}

BOOST_AUTO_TEST_CASE(ready_handler_is_not_called_inside_a_handler_that_starts_it)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    BOOST_TEST(q.try_enqueue(1));
    BOOST_TEST(q.try_enqueue(2));
    bool inside = false;
    bool nested = false;
    q.async_dequeue([&](error_code, std::optional<int>) {
        inside = true;
        q.async_dequeue([&](error_code, std::optional<int>) { nested = inside; });
        inside = false;
    });
    BOOST_TEST(run() == 2U);
    BOOST_TEST(!nested);
    BOOST_TEST(q.size() == 0U);
}

BOOST_AUTO_TEST_CASE(consumer_is_not_resumed_on_the_stack_of_a_producer)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    std::vector<std::string> order;
    const auto consumer = spawn([&]() -> awaitable<void> {
        (void)co_await q.dequeue();
        order.emplace_back("consumer");
    });
    run();
    const auto producer = spawn([&]() -> awaitable<void> {
        co_await q.enqueue(1);
        order.emplace_back("producer");
        co_return;
    });
    run();
    consumer.check_done();
    producer.check_done();
    BOOST_TEST(order == (std::vector<std::string>{"producer", "consumer"}));
}

// Nothing is kept back until the handler that caused it has returned.
BOOST_AUTO_TEST_CASE(completion_is_posted_before_the_call_that_caused_it_returns)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    const auto consumer = q.async_dequeue(test::record);
    std::size_t handlers = 0;
    asio::post(ctx, [&] {
        BOOST_TEST(q.try_enqueue(1));
        handlers = ctx.poll();
    });
    run();
    consumer.check_success();
    BOOST_TEST(handlers == 1U);
}

// Executor types ------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(coroutines_of_the_io_context_s_own_executor_type)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    fifo_queue<int, io_executor> same_type(ctx, {.capacity = sluice::unbounded});
    int sum = 0;
    asio::co_spawn(
        ctx,
        [&]() -> awaitable<void, io_executor> {
            sum += co_await q.dequeue();
            sum += co_await same_type.dequeue();
            const auto [error, item] = co_await q.dequeue().within(1ms).as_tuple();
            sum += error == errc::timed_out ? 100 : 0;
            co_await same_type.enqueue(1);
        },
        asio::detached
    );
    run();
    BOOST_TEST(q.try_enqueue(1));
    BOOST_TEST(same_type.try_enqueue(2));
    run_until([&] { return sum == 103; });
    run();
    BOOST_TEST(same_type.size() == 1U);
}

BOOST_AUTO_TEST_CASE(coroutines_of_a_strand_type)
{
    using strand = asio::strand<io_executor>;
    queue q(ctx, {.capacity = sluice::unbounded});
    const strand on(ctx.get_executor());
    int got = 0;
    bool in_strand = false;
    asio::co_spawn(
        on,
        [&]() -> awaitable<void, strand> {
            got = co_await q.dequeue();
            in_strand = on.running_in_this_thread();
        },
        asio::detached
    );
    run();
    BOOST_TEST(q.try_enqueue(1));
    run();
    BOOST_TEST(got == 1);
    BOOST_TEST(in_strand);
}

BOOST_AUTO_TEST_CASE(handler_bound_to_a_strand_runs_in_it)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    const auto on = asio::make_strand(ctx);
    bool in_strand = false;
    q.async_dequeue(asio::bind_executor(on, [&](error_code, std::optional<int>) {
        in_strand = on.running_in_this_thread();
    }));
    BOOST_TEST(q.try_enqueue(1));
    run();
    BOOST_TEST(in_strand);
}

BOOST_AUTO_TEST_CASE(two_contexts_each_run_their_own_side)
{
    asio::io_context other;
    queue q(other, {.capacity = sluice::unbounded});
    const auto here = spawn([&]() -> awaitable<int> { co_return co_await q.dequeue(); });
    run();
    auto there = asio::co_spawn(
        other,
        [&]() -> awaitable<void> { co_await q.enqueue(1); },
        asio::use_future
    );
    other.run();
    BOOST_TEST((there.wait_for(0s) == std::future_status::ready));
    here.check_pending();
    run();
    BOOST_TEST(here.result() == 1);
}

BOOST_AUTO_TEST_CASE(waiting_operation_keeps_its_own_context_busy_and_no_other)
{
    asio::io_context other;
    queue q(other, {.capacity = sluice::unbounded});
    const auto op = q.async_dequeue(record.on(ctx.get_executor()));
    other.run();
    BOOST_TEST(other.stopped());
    run();
    BOOST_TEST(!ctx.stopped());
    BOOST_TEST(q.try_enqueue(1));
    run();
    op.check_success();
    BOOST_TEST(ctx.stopped());
}

// Threads -------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(thread_pool_runs_both_sides)
{
    constexpr int count = 1000;
    asio::thread_pool pool(2);
    queue q(pool, {.capacity = 4});
    auto sent = asio::co_spawn(
        pool,
        [&]() -> awaitable<void> {
            for (int i = 0; i < count; ++i)
                co_await q.enqueue(i);
            q.close();
        },
        asio::use_future
    );
    auto received = asio::co_spawn(
        pool,
        [&]() -> awaitable<int> {
            int sum = 0;
            while (const auto item = co_await q.next())
                sum += *item;
            co_return sum;
        },
        asio::use_future
    );
    sent.get();
    BOOST_TEST(received.get() == count * (count - 1) / 2);
    pool.join();
}

BOOST_AUTO_TEST_CASE(plain_threads_wait_with_futures)
{
    constexpr std::size_t count = 100;
    asio::thread_pool pool(1);
    fifo_queue<std::size_t> q(pool, {.capacity = 1});
    std::atomic<std::size_t> sum = 0;
    run_threads(4, [&](std::size_t index) {
        for (std::size_t i = 0; i < count; ++i) {
            if (index % 2 == 0)
                q.async_enqueue(i, asio::use_future).get();
            else
                sum += q.async_dequeue(asio::use_future).get().value();
        }
    });
    BOOST_TEST(sum == count * (count - 1));
}

BOOST_AUTO_TEST_CASE(handlers_of_one_strand_do_not_overlap)
{
    constexpr std::size_t count = 2000;
    asio::thread_pool pool(2);
    queue q(pool, {.capacity = sluice::unbounded});
    const auto on = asio::make_strand(pool);
    std::atomic<int> inside = 0;
    std::atomic<std::size_t> overlaps = 0;
    std::size_t completed = 0;  // guarded by the strand
    for (std::size_t i = 0; i < count; ++i)
        q.async_dequeue(asio::bind_executor(on, [&](error_code, std::optional<int>) {
            overlaps += ++inside > 1 ? 1U : 0U;
            ++completed;
            --inside;
        }));
    run_threads(2, [&] {
        for (std::size_t i = 0; i < count / 2; ++i)
            if (!q.try_enqueue(1))
                throw std::runtime_error("an unbounded queue is full");
    });
    pool.join();
    BOOST_TEST(overlaps == 0U);
    BOOST_TEST(completed == count);
}

BOOST_AUTO_TEST_SUITE_END()
