// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// A helper that never fails would make the tests that use it worthless. So each helper that finds
// mistakes by itself is given one here. What helpers do when all is well, the other tests show.

#include "support/allocation_counter.hpp"
#include "support/check.hpp"
#include "support/co_test.hpp"
#include "support/counted.hpp"
#include "support/failing_allocator.hpp"
#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"
#include "support/spawned.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using boost::system::error_code;
using namespace std::chrono_literals;

namespace checks_can_fail {

const auto aborted = asio::error::make_error_code(asio::error::operation_aborted);

asio::awaitable<void> wait_for_ever()
{
    asio::steady_timer timer{
        co_await asio::this_coro::executor,
        asio::steady_timer::time_point::max()
    };
    co_await timer.async_wait(asio::use_awaitable);
}

asio::awaitable<void> throw_error()
{
    throw std::runtime_error{"broken"};
    co_return;
}

// An operation that does with its handler whatever the function says.
template <class... Args, class Token, class Function>
auto async_example(Token token, Function function)
{
    return asio::async_initiate<Token, void(Args...)>(std::move(function), token);
}

}  // namespace checks_can_fail

BOOST_AUTO_TEST_SUITE(checks_can_fail)

BOOST_AUTO_TEST_CASE(failure_is_captured_with_message_and_line_on_any_thread)
{
    test::captured_failures failures;

    const unsigned line = __LINE__ + 1;
    BOOST_TEST(!test::check(false, "two is not three"));
    std::thread{[] { test::fail("from a thread"); }}.join();

    BOOST_TEST(failures.count() == 2u);
    BOOST_TEST(failures.mention("not three"));
    BOOST_TEST(failures.mention("from a thread"));
    BOOST_TEST(!failures.mention("not four"));
    BOOST_TEST(failures.lines().front() == line);
}

// What a test leaves behind.

BOOST_AUTO_TEST_CASE(handler_left_ready_and_operation_left_waiting_are_failures)
{
    test::captured_failures failures;
    {
        test::io_fixture io;
        asio::post(io.ctx, [] {});
    }
    BOOST_TEST(failures.mention("1 handlers were ready"));
    {
        test::io_fixture io;
        auto timer = std::make_shared<asio::steady_timer>(io.ctx, 1h);
        timer->async_wait([timer](auto) {});
    }
    BOOST_TEST(failures.mention("still waiting"));
    BOOST_TEST(failures.count() == 2u);
}

BOOST_AUTO_TEST_CASE(element_that_outlives_its_fixture_is_a_failure)
{
    test::captured_failures failures;
    std::optional<test::counted> leaked;
    {
        test::counted_fixture inner;
        leaked.emplace(1);
        test::counted moved{std::move(*leaked)};
        BOOST_TEST(inner.check_none_alive() == false);
    }
    BOOST_TEST(failures.count() == 2u);
    BOOST_TEST(failures.mention("2 counted elements are alive, 1 of them"));
    BOOST_TEST(failures.mention("1 counted elements are alive, 0 of them"));
}

BOOST_AUTO_TEST_CASE(memory_that_outlives_a_call_is_a_failure)
{
    test::captured_failures failures;
    int* leaked = nullptr;

    test::for_each_failure([&](test::allocation_budget& budget) {
        leaked = test::failing_allocator<int>{budget}.allocate(1);
    });

    BOOST_TEST(failures.count() == 1u);
    BOOST_TEST(failures.mention("1 blocks of memory"));
    std::allocator<int>{}.deallocate(leaked, 1);
}

BOOST_AUTO_TEST_CASE(every_allocation_is_counted_and_fails_in_turn)
{
    asio::io_context ctx;
    const test::allocation_counter counter;
    asio::post(ctx, [] {});  // Asio's own
    BOOST_TEST(counter.count() == 1u);
    ctx.poll();

    const auto failures = test::for_each_failure([](test::allocation_budget& budget) {
        std::vector<std::string> texts;
        test::failing_new region{budget};
        texts.emplace_back(100, 'x');
        texts.emplace_back(100, 'y');
    });
    BOOST_TEST(failures == 4u);
}

// Coroutines.

BOOST_AUTO_TEST_CASE(coroutine_that_does_not_end_is_a_failure_with_its_name)
{
    test::captured_failures failures;
    {
        test::io_fixture io;
        test::run_co_test(io, "the_case", wait_for_ever(), 1ms);
    }
    BOOST_TEST(failures.count() == 1u);
    BOOST_TEST(failures.mention("the_case has not ended"));
}

BOOST_AUTO_TEST_CASE(exception_that_was_not_looked_at_is_a_failure)
{
    test::captured_failures failures;
    test::io_fixture io;

    io.spawn(throw_error());
    io.run();

    BOOST_TEST(failures.count() == 1u);
    BOOST_TEST(failures.mention("broken"));
}

BOOST_AUTO_TEST_CASE(checks_of_a_coroutine_fail)
{
    test::captured_failures failures;
    test::io_fixture io;
    auto op = io.spawn(throw_error());

    BOOST_TEST(!op.check_done());
    BOOST_TEST(!op.check_error(aborted));
    io.run();
    BOOST_TEST(!op.check_pending());
    BOOST_TEST(!op.check_error(aborted));
    BOOST_TEST(failures.count() == 4u);
}

// Handlers.

BOOST_AUTO_TEST_CASE(checks_of_a_pending_operation_fail)
{
    test::io_fixture io;
    auto waiting = async_example<error_code, int>(test::record, [&](auto handler) {
        asio::post(io.ctx, [h = std::move(handler)]() mutable { h(error_code(), 7); });
    });

    {
        test::captured_failures failures;
        waiting.check_done();
        waiting.check_success();
        waiting.check_error(aborted);
        waiting.check_value(7);
        waiting.check_abandoned();
        BOOST_TEST(failures.count() == 5u);
    }
    io.run();
    waiting.check_value(7);
}

BOOST_AUTO_TEST_CASE(checks_of_a_completed_operation_fail)
{
    test::io_fixture io;
    const test::tracking_executor other{io.ctx.get_executor()};
    auto done = async_example<error_code, int>(test::record, [&](auto handler) {
        asio::post(io.ctx, [h = std::move(handler)]() mutable { h(aborted, 7); });
    });
    io.run();

    test::captured_failures failures;
    done.check_pending();
    done.check_success();
    done.check_error(asio::error::eof);
    done.check_value(8);
    done.check_executor(other);
    done.check_abandoned();
    BOOST_TEST(failures.count() == 6u);
}

BOOST_AUTO_TEST_CASE(call_inside_the_initiating_function_is_a_failure)
{
    auto op = async_example<error_code>(test::record, [](auto handler) {
        handler(error_code{});
    });

    test::captured_failures failures;
    op.check_success();

    BOOST_TEST(failures.count() == 1u);
    BOOST_TEST(failures.mention("inside an initiating function"));
}

BOOST_AUTO_TEST_CASE(call_on_the_wrong_executor_is_a_failure)
{
    test::io_fixture io;
    const test::tracking_executor first{io.ctx.get_executor()};
    const test::tracking_executor second{io.ctx.get_executor()};
    auto op = async_example<>(test::record.on(first), [&](auto handler) {
        asio::post(second, [h = std::move(handler)]() mutable { h(); });
    });
    io.run();

    test::captured_failures failures;
    op.check_done();

    BOOST_TEST(failures.count() == 1u);
    BOOST_TEST(failures.mention("on executor " + std::to_string(second.id())));
}

BOOST_AUTO_TEST_SUITE_END()
