// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/coroutine_waiter.hpp>

#include "support/counted.hpp"
#include "support/io_fixture.hpp"
#include "support/printing.hpp"
#include "support/tracking_executor.hpp"
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <coroutine>
#include <exception>
#include <memory>
#include <utility>

namespace asio = boost::asio;
namespace test = sluice::test;
using test::counted;

namespace coroutine_waiter {

// A coroutine whose promise has an executor and a cancellation slot, and starts at once.
struct equipped_task
{
    struct promise_type
    {
        template <class... Rest>
        promise_type(asio::any_io_executor own, asio::cancellation_slot slot, Rest&...)
            : executor(std::move(own)), cancellation(slot)
        {
        }

        equipped_task get_return_object()
        {
            return {.frame = std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() { std::terminate(); }
        [[nodiscard]] asio::any_io_executor get_executor() const { return executor; }
        [[nodiscard]] asio::cancellation_slot get_cancellation_slot() const
        {
            return cancellation;
        }

        asio::any_io_executor executor;
        asio::cancellation_slot cancellation;
    };

    std::coroutine_handle<>
        frame;  // for a test that knows that it does not end by itself
};

// A coroutine whose promise puts an awaiter of its own around each other one, to trace them for
// instance, and passes itself on without its type.
struct tracing_task
{
    struct promise_type
    {
        tracing_task get_return_object() noexcept { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() { std::terminate(); }

        template <class Inner>
        struct traced
        {
            Inner inner;

            bool await_ready() { return inner.await_ready(); }
            auto await_suspend(std::coroutine_handle<> coroutine)
            {
                return inner.await_suspend(coroutine);
            }
            auto await_resume() { return inner.await_resume(); }
        };

        template <class Operation>
        auto await_transform(Operation&& operation)
        {
            using inner = decltype(std::forward<Operation>(operation).operator co_await()
            );
            return traced<inner>{std::forward<Operation>(operation).operator co_await()};
        }
    };
};

tracing_task take(sluice::fifo_queue<int>& from, int& taken)
{
    taken = co_await from.dequeue();
}

equipped_task dequeue_into(
    asio::any_io_executor,
    asio::cancellation_slot,
    sluice::fifo_queue<counted>& queue,
    sluice::error_code& error,
    int& resumed_on
)
{
    auto [ec, item] = co_await queue.dequeue().as_tuple();
    error = ec;
    resumed_on = test::current_executor();
}

struct waiter_fixture : test::counted_fixture, test::io_fixture
{
    sluice::fifo_queue<counted> q{ctx, {.capacity = 2}};
};

}  // namespace coroutine_waiter

BOOST_FIXTURE_TEST_SUITE(coroutine_waiter, waiter_fixture)

BOOST_AUTO_TEST_CASE(coroutine_behind_another_awaiter_resumes_on_the_executor_of_the_queue
)
{
    sluice::fifo_queue<int> numbers{ctx, {.capacity = 1}};
    int taken = 0;
    take(numbers, taken);
    BOOST_TEST(numbers.try_enqueue(7));
    BOOST_TEST(taken == 0);
    run();
    BOOST_TEST(taken == 7);
}

BOOST_AUTO_TEST_CASE(coroutine_with_an_executor_resumes_there)  // P6
{
    const test::tracking_executor own(ctx.get_executor());
    asio::cancellation_signal signal;
    sluice::error_code error = sluice::errc::timed_out;
    int resumed_on = 0;
    dequeue_into(own, signal.slot(), q, error, resumed_on);
    BOOST_TEST(q.try_enqueue(counted(1)));
    run();
    BOOST_TEST(!error.failed());
    BOOST_TEST(resumed_on == own.id());
    BOOST_TEST(!signal.slot().has_handler());
}

BOOST_AUTO_TEST_CASE(cancellation_slot_of_the_promise_is_used)
{
    asio::cancellation_signal signal;
    sluice::error_code error;
    int resumed_on = 0;
    dequeue_into(ctx.get_executor(), signal.slot(), q, error, resumed_on);
    signal.emit(asio::cancellation_type::total);
    run();
    BOOST_TEST(error == asio::error::operation_aborted);
    BOOST_TEST(q.stats().waiting_consumers == 0U);
}

BOOST_AUTO_TEST_CASE(destroyed_frame_leaves_nothing_in_its_slot)  // S12
{
    asio::cancellation_signal signal;
    sluice::error_code error;
    int resumed_on = 0;
    const equipped_task task =
        dequeue_into(ctx.get_executor(), signal.slot(), q, error, resumed_on);
    BOOST_TEST(signal.slot().has_handler());
    task.frame.destroy();
    BOOST_TEST(!signal.slot().has_handler());
}

BOOST_AUTO_TEST_CASE(frame_elsewhere_is_let_go_by_the_context_of_its_queue)  // S23
{
    auto other = std::make_unique<asio::io_context>();
    sluice::fifo_queue<counted> line(*other, {.capacity = sluice::unbounded});
    asio::cancellation_signal signal;
    sluice::error_code error;
    int resumed_on = 0;
    const auto dequeue = [&](asio::cancellation_slot slot) {
        return dequeue_into(ctx.get_executor(), slot, line, error, resumed_on);
    };
    const equipped_task cancellable = dequeue(signal.slot());
    const equipped_task other_one = dequeue({});
    other.reset();
    BOOST_TEST(line.stats().waiting_consumers == 0U);
    signal.emit(asio::cancellation_type::all);  // finds no operation
    run();
    BOOST_TEST(ctx.stopped());
    BOOST_TEST(!error.failed());
    cancellable.frame.destroy();
    other_one.frame.destroy();
}

BOOST_AUTO_TEST_SUITE_END()
