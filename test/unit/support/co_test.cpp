// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/co_test.hpp"

#include "support/check.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <stdexcept>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;

namespace co_test {

// Fails its case if the body did not come to its end.
struct ending_fixture
{
    ~ending_fixture() { BOOST_TEST(ended); }

    bool ended = false;
};

struct number_fixture
{
    int number = 3;
};

struct derived_fixture : test::io_fixture
{
    int handlers = 0;

    void post()
    {
        asio::post(ctx, [this] { ++handlers; });
    }
};

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

}  // namespace co_test

BOOST_AUTO_TEST_SUITE(co_test)

// what the macro provides

SLUICE_CO_TEST(body_runs_on_the_context, ending_fixture)
{
    const auto executor = co_await asio::this_coro::executor;
    BOOST_TEST((executor == ctx.get_executor()));

    co_await asio::post(executor, asio::use_awaitable);

    BOOST_TEST(ctx.get_executor().running_in_this_thread());
    ended = true;
}

SLUICE_CO_TEST(body_can_leave_in_the_middle, ending_fixture)
{
    ended = true;
    if (ended)
        co_return;
    BOOST_FAIL("not reached");
}

SLUICE_CO_TEST(body_waits_for_timers, ending_fixture)
{
    asio::steady_timer timer{ctx, 1ms};
    co_await timer.async_wait(asio::use_awaitable);
    ended = true;
}

SLUICE_CO_TEST(body_sees_its_fixtures, number_fixture)
{
    BOOST_TEST(number == 3);
    co_return;
}

SLUICE_CO_TEST(io_fixture_of_a_fixture_is_the_one_used, derived_fixture, number_fixture)
{
    post();
    co_await settle();
    BOOST_TEST(handlers == 1);
    BOOST_TEST(number == 3);
}

SLUICE_CO_TEST(sibling_is_observed_while_it_waits)
{
    asio::steady_timer timer{ctx, 1h};
    const auto sibling = spawn(timer.async_wait(asio::use_awaitable));
    co_await settle();
    BOOST_TEST(sibling.check_pending());

    timer.cancel();
    co_await settle();

    BOOST_TEST(sibling.check_error(asio::error::operation_aborted));
}

SLUICE_CO_TEST(what_the_body_leaves_ready_still_runs)
{
    spawn([this]() -> asio::awaitable<void> {
        co_await asio::post(ctx, asio::use_awaitable);
    });
    co_return;
}

BOOST_FIXTURE_TEST_SUITE(with_suite_fixture, number_fixture)

SLUICE_CO_TEST(fixture_of_the_suite_is_used)
{
    BOOST_TEST(number == 3);
    co_return;
}

BOOST_AUTO_TEST_SUITE_END()

// how bodies fail

BOOST_AUTO_TEST_CASE(body_that_does_not_end_is_a_failure_with_its_name)
{
    test::captured_failures failures;
    {
        test::io_fixture io;
        test::run_co_test(io, "the_case", wait_for_ever(), 1ms);
    }
    BOOST_TEST(failures.count() == 1u);
    BOOST_TEST(failures.mention("the_case has not ended"));
}

BOOST_AUTO_TEST_CASE(exception_of_the_body_leaves_the_case)
{
    test::io_fixture io;

    BOOST_CHECK_THROW(
        test::run_co_test(io, "the_case", throw_error()),
        std::runtime_error
    );
}

BOOST_AUTO_TEST_CASE(sibling_that_fails_unseen_is_a_failure)
{
    test::captured_failures failures;
    test::io_fixture io;
    const auto body = [&]() -> asio::awaitable<void> {
        io.spawn(throw_error());
        co_return;
    };

    test::run_co_test(io, "the_case", body());

    BOOST_TEST(failures.count() == 1u);
    BOOST_TEST(failures.mention("broken"));
}

BOOST_AUTO_TEST_CASE(sibling_left_waiting_is_a_failure)
{
    test::captured_failures failures;
    {
        test::io_fixture io;
        const auto body = [&]() -> asio::awaitable<void> {
            io.spawn(wait_for_ever());
            co_return;
        };
        test::run_co_test(io, "the_case", body());
    }
    BOOST_TEST(failures.count() == 1u);
    BOOST_TEST(failures.mention("still waiting"));
}

BOOST_AUTO_TEST_SUITE_END()
