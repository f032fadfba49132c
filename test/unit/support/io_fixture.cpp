// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/io_fixture.hpp"

#include "support/check.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <stdexcept>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;

namespace io_fixture {

asio::awaitable<int> answer_after(asio::steady_timer& timer)
{
    co_await timer.async_wait(asio::use_awaitable);
    co_return 42;
}

}  // namespace io_fixture

BOOST_AUTO_TEST_SUITE(io_fixture)

// what the destructor checks

BOOST_AUTO_TEST_CASE(clean_end_reports_nothing)
{
    test::captured_failures failures;
    {
        test::io_fixture io;
        asio::post(io.ctx, [] {});
        BOOST_TEST(io.run() == 1u);
    }
    BOOST_TEST(failures.count() == 0u);
}

BOOST_AUTO_TEST_CASE(handler_left_ready_is_a_failure)
{
    test::captured_failures failures;
    {
        test::io_fixture io;
        asio::post(io.ctx, [] {});
        asio::post(io.ctx, [] {});
    }
    BOOST_TEST(failures.count() == 1u);
    BOOST_TEST(failures.mention("2 handlers were ready"));
}

BOOST_AUTO_TEST_CASE(operation_left_waiting_is_a_failure)
{
    test::captured_failures failures;
    {
        test::io_fixture io;
        auto timer = std::make_shared<asio::steady_timer>(io.ctx, 1h);
        timer->async_wait([timer](auto) {});
    }
    BOOST_TEST(failures.count() == 1u);
    BOOST_TEST(failures.mention("still waiting"));
}

BOOST_AUTO_TEST_CASE(operation_may_be_left_waiting_on_request)
{
    test::captured_failures failures;
    {
        test::io_fixture io;
        auto timer = std::make_shared<asio::steady_timer>(io.ctx, 1h);
        timer->async_wait([timer](auto) {});
        io.leave_waiting();
    }
    BOOST_TEST(failures.count() == 0u);
}

BOOST_AUTO_TEST_CASE(nothing_is_checked_while_an_exception_passes)
{
    test::captured_failures failures;
    const auto test_that_throws = [] {
        test::io_fixture io;
        asio::post(io.ctx, [] {});
        throw std::runtime_error{"broken"};
    };

    BOOST_CHECK_THROW(test_that_throws(), std::runtime_error);

    BOOST_TEST(failures.count() == 0u);
}

// running

BOOST_AUTO_TEST_CASE(run_does_not_wait)
{
    test::io_fixture io;
    asio::steady_timer timer{io.ctx, 1h};
    auto op = io.spawn(answer_after(timer));

    io.run();

    BOOST_TEST(op.check_pending());
    timer.cancel();
    io.run();
    BOOST_TEST(op.check_error(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(run_until_done_waits_for_the_result)
{
    test::io_fixture io;
    asio::steady_timer timer{io.ctx, 2ms};

    BOOST_TEST(io.run_until_done(answer_after(timer)) == 42);
}

BOOST_AUTO_TEST_CASE(run_until_done_rethrows)
{
    test::io_fixture io;
    const auto work = []() -> asio::awaitable<void> {
        throw std::runtime_error{"broken"};
        co_return;
    };

    BOOST_CHECK_THROW(io.run_until_done(work), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(run_until_fails_after_the_limit)
{
    test::captured_failures failures;
    test::io_fixture io;

    BOOST_TEST(!io.run_until([] { return false; }, 1ms));

    BOOST_TEST(failures.count() == 1u);
}

BOOST_AUTO_TEST_CASE(run_from_within_a_handler_is_a_failure)
{
    test::captured_failures failures;
    test::io_fixture io;
    asio::post(io.ctx, [&] { io.run(); });

    io.run();

    BOOST_TEST(failures.mention("settle()"));
}

// settle

BOOST_AUTO_TEST_CASE(settle_continues_when_everything_else_is_done)
{
    test::io_fixture io;
    std::vector<int> order;
    io.spawn([&]() -> asio::awaitable<void> {
        co_await io.settle();
        order.push_back(2);
        asio::post(io.ctx, [&] { order.push_back(3); });
        co_await io.settle();
        order.push_back(4);
    });
    asio::post(io.ctx, [&] { asio::post(io.ctx, [&] { order.push_back(1); }); });

    io.run();

    BOOST_TEST(order == (std::vector{1, 2, 3, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(settle_works_in_run_until_and_for_several_coroutines)
{
    test::io_fixture io;
    const auto work = [&]() -> asio::awaitable<void> { co_await io.settle(); };
    auto first = io.spawn(work);

    io.run_until_done(work);

    io.run();
    BOOST_TEST(first.check_done());
}

BOOST_AUTO_TEST_SUITE_END()
