// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/co_test.hpp"

#include "support/check.hpp"

#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <stdexcept>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;

namespace co_test {

struct number_fixture
{
    int number = 3;
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

BOOST_FIXTURE_TEST_SUITE(with_suite_fixture, number_fixture)

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
