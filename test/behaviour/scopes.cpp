// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Scopes of tasks on several threads, on executors of each kind: the tasks have ended before what
// they refer to goes, whatever ends the scope.

#include "support/check_error.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/coordination/task_handle.hpp>
#include <sluice/coordination/with_tasks.hpp>
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/task/within.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using asio::awaitable;
using sluice::errc;

namespace scopes {

awaitable<void> produce(sluice::fifo_queue<int>& numbers)
{
    for (int i = 0;; ++i) {
        if (i == 3)
            throw std::runtime_error("produce failed");
        co_await numbers.enqueue(i);
    }
}

// An exception while a task uses a local: without the scope the task outlives the local.
awaitable<void> consume_and_fail(asio::any_io_executor executor)
{
    sluice::fifo_queue<int> numbers{executor, {.capacity = 8, .name = "numbers"}};
    std::vector<int> taken;
    co_await sluice::with_tasks(executor, [&](auto& tasks) -> awaitable<void> {
        tasks.spawn("consumer", [&]() -> awaitable<void> {
            while (const auto number = co_await numbers.next())
                taken.push_back(*number);
        });
        co_await produce(numbers);
        numbers.close();
    });
}

// Waits for a queue that is never filled, in spite of a cancellation.
awaitable<void> wait_until_closed(
    sluice::fifo_queue<int>& numbers,
    std::atomic<bool>& has_ended
)
{
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    (void)co_await numbers.next().as_tuple();  // the stop, or the end
    has_ended = true;
}

}  // namespace scopes

BOOST_AUTO_TEST_SUITE(scopes)

BOOST_AUTO_TEST_CASE(s50_exception_while_a_task_uses_a_local_is_thrown_after_the_task)
{
    sluice::io_context_pool pool{2};
    asio::thread_pool other{2};
    const std::vector<asio::any_io_executor> executors{
        pool.get_executor(),
        asio::make_strand(pool.get_executor()),
        other.get_executor(),
        asio::make_strand(other.get_executor())
    };
    for (const auto& executor : executors)
        for (int i = 0; i < 20; ++i)
            BOOST_CHECK_EXCEPTION(
                pool.run(consume_and_fail(executor)),
                std::runtime_error,
                [](const auto& error) {
                    return std::string(error.what()) == "produce failed";
                }
            );
}

BOOST_AUTO_TEST_CASE(s50_scope_on_a_pool_is_run_to_its_end_and_gives_its_result)
{
    sluice::io_context_pool pool{2};
    sluice::fifo_queue<int> numbers{pool, {.capacity = 2}};

    const int sum = pool.run(sluice::with_tasks(pool, [&](auto& tasks) -> awaitable<int> {
        tasks.spawn("producer", [&]() -> awaitable<void> {
            for (int i = 1; i <= 100; ++i)
                co_await numbers.enqueue(i);
            numbers.close();
        });
        int total = 0;
        while (const auto number = co_await numbers.next())
            total += *number;
        co_return total;
    }));

    BOOST_TEST(sum == 5050);
}

BOOST_AUTO_TEST_CASE(s50_time_limit_of_a_scope_waits_for_its_tasks)
{
    sluice::io_context_pool pool{2};
    sluice::fifo_queue<int> numbers{pool, {.capacity = 1}};
    std::atomic<bool> has_ended = false;

    const auto scope = [&]() -> awaitable<void> {
        const auto open = [&](auto& tasks) -> awaitable<void> {
            tasks.close_on_stop(numbers);
            tasks.spawn("stubborn", wait_until_closed(numbers, has_ended));
            co_return;
        };
        co_await sluice::within(sluice::with_tasks(pool, open), 1ms);
    };
    BOOST_CHECK_EXCEPTION(pool.run(scope), sluice::system_error, [](const auto& error) {
        return error.code() == errc::timed_out;
    });

    BOOST_TEST(has_ended);
}

BOOST_AUTO_TEST_CASE(
    s50_context_of_the_tasks_may_be_destroyed_while_another_one_awaits_them
)
{
    asio::io_context home;
    std::optional<asio::io_context> context(std::in_place);
    std::exception_ptr end;
    asio::co_spawn(
        home,
        [&]() -> awaitable<void> {
            sluice::fifo_queue<int> numbers{*context, {.capacity = 1}};
            co_await sluice::with_tasks(*context, [&](auto& tasks) -> awaitable<void> {
                tasks.spawn("consumer", [&]() -> awaitable<void> {
                    (void)co_await numbers.next();
                });
                (void)co_await numbers.next();
            });
        },
        [&](std::exception_ptr error) { end = std::move(error); }
    );
    home.poll();
    context->poll();

    context.reset();
    home.poll();

    test::check_error(end, asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(s50_body_that_dies_with_its_context_stops_tasks_of_other_contexts)
{
    asio::io_context home;
    asio::io_context other;
    std::optional<asio::io_context> context(std::in_place);
    sluice::fifo_queue<int> numbers{other, {.capacity = 1}};
    std::exception_ptr end;
    asio::co_spawn(
        home,
        [&]() -> awaitable<void> {
            co_await sluice::with_tasks(*context, [&](auto& tasks) -> awaitable<void> {
                tasks.spawn(other.get_executor(), "elsewhere", [&]() -> awaitable<void> {
                    (void)co_await numbers.next();
                });
                (void)co_await numbers.next();
            });
        },
        [&](std::exception_ptr error) { end = std::move(error); }
    );
    home.poll();
    context->poll();
    other.poll();

    context.reset();
    other.poll();
    home.poll();

    test::check_error(end, asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(s50_cancellation_that_came_before_calls_no_body)
{
    asio::io_context context;
    sluice::coordinator outer{context};
    sluice::fifo_queue<int> numbers{context, {.capacity = 1}};
    bool is_called = false;
    auto task = outer.spawn("task", [&]() -> awaitable<void> {
        co_await asio::this_coro::throw_if_cancelled(false);
        (void)co_await numbers.next().as_tuple();
        co_await sluice::with_tasks(context, [&](auto&) { is_called = true; });
    });
    context.poll();

    task.cancel();
    context.poll();

    BOOST_TEST(!is_called);
    BOOST_TEST((task.state() == sluice::task_state::cancelled));
}

BOOST_AUTO_TEST_SUITE_END()
