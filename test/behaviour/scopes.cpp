// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Scopes of tasks on several threads, on executors of each kind: the tasks have ended before what
// they refer to goes, whatever ends the scope.

#include "support/check_error.hpp"
#include <sluice/coordination/with_tasks.hpp>
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/task/within.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using asio::awaitable;
using sluice::errc;

namespace scopes {

// Waits for a queue that is never filled, in spite of a cancellation.
awaitable<void> wait_until_closed(
    sluice::fifo_queue<int>& numbers,
    std::atomic<int>& running
)
{
    ++running;
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    (void)co_await numbers.next().as_tuple();  // the stop, or the end
    --running;
}

}  // namespace scopes

BOOST_AUTO_TEST_SUITE(scopes)

BOOST_AUTO_TEST_CASE(time_limit_of_a_scope_waits_for_its_tasks)
{
    sluice::io_context_pool pool{2};
    sluice::fifo_queue<int> numbers{pool, {.capacity = 1}};
    std::atomic<int> running = 0;

    const auto scope = [&]() -> awaitable<void> {
        const auto open = [&](auto& tasks) -> awaitable<void> {
            tasks.close_on_stop(numbers);
            tasks.spawn("stubborn", wait_until_closed(numbers, running));
            co_return;
        };
        co_await sluice::within(sluice::with_tasks(pool, open), 1ms);
    };
    BOOST_CHECK_EXCEPTION(pool.run(scope), sluice::system_error, [](const auto& error) {
        return error.code() == errc::timed_out;
    });

    BOOST_TEST(running == 0);  // or the limit came before it began
}

BOOST_AUTO_TEST_CASE(context_of_the_tasks_may_be_destroyed_while_another_one_awaits_them)
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

BOOST_AUTO_TEST_CASE(body_that_dies_with_its_context_stops_tasks_of_other_contexts)
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

BOOST_AUTO_TEST_SUITE_END()
