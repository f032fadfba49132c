// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/for_each_prefix.hpp"

#include "support/check.hpp"
#include "support/counted.hpp"
#include "support/printing.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;

BOOST_FIXTURE_TEST_SUITE(for_each_prefix, test::counted_fixture)

BOOST_AUTO_TEST_CASE(coroutine_is_abandoned_at_every_suspension)
{
    std::vector<int> reached;
    int checks = 0;

    const auto handlers = test::for_each_prefix(
        [&](asio::io_context& context) -> asio::awaitable<void> {
            reached.push_back(0);
            test::counted element{1};
            for (int i = 0; i != 2; ++i) {
                co_await asio::post(context, asio::use_awaitable);
                ++reached.back();
            }
        },
        [&] {
            ++checks;
            BOOST_TEST(alive() == 0);
        }
    );

    // A frame destroyed before its first handler has not run at all.
    BOOST_TEST(handlers >= 3u);
    BOOST_TEST(checks == 2 * static_cast<int>(handlers + 1));
    BOOST_TEST((reached == std::vector{0, 0, 1, 1, 2, 2}));
}

// failures

BOOST_AUTO_TEST_CASE(scenario_without_work_is_stuck)
{
    struct scenario
    {
        [[nodiscard]] bool done() const { return false; }
    };
    test::captured_failures failures;

    test::for_each_prefix([](asio::io_context&) { return scenario{}; });

    BOOST_TEST(failures.count() >= 1u);
    BOOST_TEST(failures.mention("stuck"));
}

BOOST_AUTO_TEST_CASE(leak_is_seen_after_the_prefix_that_leaks)
{
    std::vector<std::unique_ptr<test::counted>> leaked;
    std::vector<long> left;

    test::for_each_prefix(
        [&](asio::io_context& context) -> asio::awaitable<void> {
            co_await asio::post(context, asio::use_awaitable);
            leaked.push_back(std::make_unique<test::counted>(1));
        },
        [&] { left.push_back(alive()); }
    );

    BOOST_TEST(left.front() == 0);
    BOOST_TEST(left.back() != 0);
}

BOOST_AUTO_TEST_SUITE_END()
