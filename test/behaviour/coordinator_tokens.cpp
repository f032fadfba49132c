// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// P11: wait_for_stop() and join() through every door: completion tokens, coroutines of
// any type, other threads.

#include "support/check_error.hpp"
#include "support/foreign_task.hpp"
#include "support/io_fixture.hpp"
#include "support/message_of.hpp"
#include "support/recording_handler.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using sluice::errc;
using test::record;

namespace coordinator_tokens {

struct tokens_fixture : test::io_fixture
{
    tokens_fixture()
    {
        coord.spawn("task", [this]() -> asio::awaitable<void> { co_await gate.next(); });
    }

    ~tokens_fixture()
    {
        gate.close();
        coord.request_stop();
        run();
    }

    void fail()
    {
        coord.request_stop(std::make_exception_ptr(std::runtime_error("broken")));
    }

    std::string text_of(const std::exception_ptr& exception)
    {
        return exception ? sluice::test::message_of(exception) : "none";
    }

    sluice::fifo_queue<int> gate{ctx, {.capacity = sluice::unbounded, .name = "gate"}};
    sluice::coordinator coord{ctx};
};

test::foreign_task<> foreign_wait(sluice::coordinator& coord)
{
    co_await coord.wait_for_stop();
}

test::foreign_task<> foreign_wait_within(
    sluice::coordinator& coord,
    std::chrono::nanoseconds limit
)
{
    co_await coord.wait_for_stop().within(limit);
}

test::foreign_task<> foreign_join(sluice::coordinator& coord)
{
    co_await coord.join();
}

test::foreign_task<std::exception_ptr> foreign_join_as_tuple(
    sluice::coordinator& coord,
    std::chrono::nanoseconds limit
)
{
    auto [error] = co_await coord.join().within(limit).as_tuple();
    co_return error;
}

}  // namespace coordinator_tokens

BOOST_FIXTURE_TEST_SUITE(coordinator_tokens, tokens_fixture)

// tokens

BOOST_AUTO_TEST_CASE(s15_signatures_with_a_callback)
{
    int calls = 0;
    coord.async_wait_for_stop([&](auto error) {
        static_assert(std::is_same_v<decltype(error), sluice::error_code>);
        BOOST_TEST(!error);
        ++calls;
    });
    coord.async_join([&](auto error) {
        static_assert(std::is_same_v<decltype(error), std::exception_ptr>);
        BOOST_TEST(text_of(error) == "broken");
        ++calls;
    });
    BOOST_TEST(calls == 0);

    fail();
    run();

    BOOST_TEST(calls == 2);
}

BOOST_AUTO_TEST_CASE(use_future)
{
    std::future<void> stop = coord.async_wait_for_stop(asio::use_future);
    std::future<void> join = coord.async_join(asio::use_future);

    fail();
    run();

    BOOST_CHECK_NO_THROW(stop.get());
    BOOST_CHECK_THROW(join.get(), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(use_awaitable)
{
    const auto stop = spawn(coord.async_wait_for_stop(asio::use_awaitable));
    const auto join = spawn(coord.async_join(asio::use_awaitable));
    run();
    BOOST_TEST(stop.check_pending());
    BOOST_TEST(join.check_pending());

    fail();
    run();

    BOOST_TEST(stop.check_done());
    BOOST_TEST(text_of(join.error()) == "broken");
}

BOOST_AUTO_TEST_CASE(as_tuple_of_use_awaitable)
{
    const auto stop = spawn([&]() -> asio::awaitable<bool> {
        auto [error] = co_await coord.async_wait_for_stop(
            asio::as_tuple(asio::use_awaitable)
        );
        co_return error.failed();
    });
    const auto join = spawn([&]() -> asio::awaitable<std::string> {
        auto [error] = co_await coord.async_join(asio::as_tuple(asio::use_awaitable));
        co_return text_of(error);
    });

    fail();
    run();

    BOOST_TEST(!stop.result());
    BOOST_TEST(join.result() == "broken");
}

BOOST_AUTO_TEST_CASE(deferred)
{
    auto stop = coord.async_wait_for_stop(asio::deferred);
    auto join = coord.async_join(asio::deferred);
    fail();
    run();

    const auto stopped = std::move(stop)(record);
    const auto joined = std::move(join)(record);
    run();

    stopped.check_success();
    BOOST_TEST(text_of(joined.exception()) == "broken");
}

BOOST_AUTO_TEST_CASE(detached)
{
    coord.async_wait_for_stop(asio::detached);
    coord.async_join(asio::detached);

    fail();
    run();

    BOOST_TEST(coord.joined());
}

BOOST_AUTO_TEST_CASE(member_operations_take_tokens_after_their_modifiers)
{
    coord.request_stop();
    const auto stop = coord.wait_for_stop().within(0s).as_tuple()(record);
    const auto join = coord.join().within(1h).as_tuple()(record);
    run();

    stop.check_success();  // S3: what can proceed succeeds whatever the limit
    join.check_success();
}

// time limits

BOOST_AUTO_TEST_CASE(wait_for_stop_within_times_out)
{
    const auto zero = coord.wait_for_stop().within(0s)(record);
    const auto one = coord.wait_for_stop().within(1ms)(record);
    const auto past = coord.wait_for_stop().until(std::chrono::steady_clock::now())(record
    );
    const auto long_enough = coord.wait_for_stop().within(1h)(record);
    run_until([&] { return one.done(); });
    run();

    zero.check_error(errc::timed_out);
    one.check_error(errc::timed_out);
    past.check_error(errc::timed_out);
    long_enough.check_pending();
    coord.request_stop();
    run();
    long_enough.check_success();
}

BOOST_AUTO_TEST_CASE(join_within_is_a_limit_and_the_tasks_go_on)
{
    const auto zero = coord.join().within(0s)(record);
    const auto one = coord.join().within(1ms)(record);
    const auto past = coord.join().until(std::chrono::steady_clock::now())(record);
    const auto long_enough = coord.join().within(1h)(record);
    run_until([&] { return one.done(); });
    run();

    for (const auto& join : {zero, one, past})
        join.check_error(errc::timed_out);
    long_enough.check_pending();
    BOOST_TEST(!coord.should_stop());
    BOOST_TEST(!coord.joined());
    BOOST_TEST(coord.tasks().size() == 1u);
    gate.close();
    run();
    long_enough.check_success();
}

BOOST_AUTO_TEST_CASE(join_within_is_a_limit_after_the_stop_too)
{
    coord.spawn("stubborn", [this]() -> asio::awaitable<void> {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_await gate.next();
    });
    run();
    coord.request_stop();

    const auto limited = coord.join().within(1ms)(record);
    run_until([&] { return limited.done(); });

    limited.check_error(errc::timed_out);  // the grace period has not ended
}

BOOST_AUTO_TEST_CASE(default_token_can_be_awaited)
{
    const auto stop = spawn([&]() -> asio::awaitable<void> {
        co_await coord.async_wait_for_stop();
    });
    const auto join = spawn([&]() -> asio::awaitable<void> {
        co_await coord.async_join();
    });

    fail();
    run();

    BOOST_TEST(stop.check_done());
    BOOST_TEST(text_of(join.error()) == "broken");
}

// coroutines of another type

BOOST_AUTO_TEST_CASE(foreign_coroutine_that_waits)
{
    auto stop = foreign_wait(coord);
    auto join = foreign_join(coord);
    stop.start();
    join.start();
    stop.check_pending();
    join.check_pending();

    fail();
    stop.check_pending();  // never on the stack of the request
    run();

    stop.check_done();
    BOOST_TEST(text_of(join.error()) == "broken");
}

BOOST_AUTO_TEST_CASE(foreign_coroutine_that_need_not_wait)
{
    coord.request_stop();
    run();
    auto stop = foreign_wait(coord);
    auto join = foreign_join(coord);

    stop.start();
    join.start();

    stop.check_done();
    join.check_done();
}

BOOST_AUTO_TEST_CASE(foreign_coroutine_with_time_limits)
{
    auto stop = foreign_wait_within(coord, 1ms);
    stop.start();
    run_until([&] { return stop.done(); });
    stop.check_error(errc::timed_out);

    auto join = foreign_join_as_tuple(coord, 1h);
    join.start();
    coord.request_stop();
    run();
    join.check_done();
    BOOST_TEST(text_of(join.result()) == "none");
}

BOOST_AUTO_TEST_CASE(foreign_coroutine_destroyed_while_it_waits_and_while_it_is_resumed)
{
    auto waiting = foreign_wait(coord);
    waiting.start();
    waiting.destroy();
    auto resumed = foreign_wait(coord);
    resumed.start();
    coord.request_stop();
    resumed.destroy();
    auto joining = foreign_join(coord);
    joining.start();
    joining.destroy();

    run();

    BOOST_TEST(coord.tasks().empty());
    BOOST_TEST(!coord.joined());
}

// plain threads

BOOST_AUTO_TEST_CASE(p4_plain_thread_waits_with_a_future)
{
    auto stop = coord.async_wait_for_stop(asio::use_future);
    auto join = coord.async_join(asio::use_future);
    std::atomic<bool> seen{false};
    std::jthread waits([&] {
        stop.get();
        join.get();
        seen = true;
    });
    std::jthread asks([&] { coord.request_stop(); });

    run_until([&] { return seen.load(); });

    BOOST_TEST(coord.joined());
}

BOOST_AUTO_TEST_SUITE_END()
