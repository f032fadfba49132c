// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"
#include "support/tracking_executor.hpp"
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/strand.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

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

BOOST_AUTO_TEST_SUITE_END()
