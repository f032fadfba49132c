// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/io_fixture.hpp"

#include "support/check.hpp"

#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <stdexcept>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(io_fixture)

// what the destructor checks

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

BOOST_AUTO_TEST_SUITE_END()
