// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/pump.hpp"

#include "support/check.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;

namespace {

struct pump_fixture
{
    asio::io_context ctx;
    int ran = 0;

    // `depth` handlers, each posted by the one before.
    void post_chain(int depth)
    {
        if (depth != 0)
            asio::post(ctx, [this, depth] { ++ran, post_chain(depth - 1); });
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(pump, pump_fixture)

// run_dry

BOOST_AUTO_TEST_CASE(run_dry_runs_what_handlers_post)
{
    post_chain(3);

    BOOST_TEST(test::run_dry(ctx) == 3u);
    BOOST_TEST(ran == 3);
}

BOOST_AUTO_TEST_CASE(run_dry_works_again_after_the_context_ran_out_of_work)
{
    test::run_dry(ctx);
    post_chain(1);

    BOOST_TEST(test::run_dry(ctx) == 1u);
}

BOOST_AUTO_TEST_CASE(run_dry_does_not_wait_for_timers)
{
    asio::steady_timer timer{ctx, 1h};
    timer.async_wait([this](auto) { ++ran; });

    BOOST_TEST(test::run_dry(ctx) == 0u);
    timer.cancel();
    BOOST_TEST(test::run_dry(ctx) == 1u);
}

BOOST_AUTO_TEST_CASE(run_dry_gives_up_on_handlers_without_end)
{
    test::captured_failures failures;
    post_chain(-1);

    test::run_dry(ctx);

    BOOST_TEST(failures.mention("never come to an end"));
}

// run_exactly

BOOST_AUTO_TEST_CASE(run_exactly_leaves_the_rest)
{
    post_chain(3);

    BOOST_TEST(test::run_exactly(ctx, 2));
    BOOST_TEST(ran == 2);
    BOOST_TEST(test::run_exactly(ctx, 0));
    BOOST_TEST(ran == 2);
}

BOOST_AUTO_TEST_CASE(run_exactly_fails_at_the_callers_line_when_fewer_are_ready)
{
    test::captured_failures failures;
    post_chain(1);

    const unsigned line = __LINE__ + 1;
    BOOST_TEST(!test::run_exactly(ctx, 2));

    BOOST_TEST(failures.mention("only 1 of 2"));
    BOOST_TEST(failures.lines().at(0) == line);
}

// poll_until

BOOST_AUTO_TEST_CASE(poll_until_stops_as_soon_as_the_predicate_holds)
{
    post_chain(5);

    BOOST_TEST(test::poll_until(ctx, [&] { return ran == 2; }));
    BOOST_TEST(ran == 2);
}

BOOST_AUTO_TEST_CASE(poll_until_waits_for_a_timer)
{
    asio::steady_timer timer{ctx, 5ms};
    timer.async_wait([this](auto) { ++ran; });

    BOOST_TEST(test::poll_until(ctx, [&] { return ran == 1; }));
}

BOOST_AUTO_TEST_CASE(poll_until_sees_what_another_thread_does)
{
    std::atomic<bool> seen{false};
    std::thread thread{[&] { seen = true; }};

    BOOST_TEST(test::poll_until(ctx, [&] { return seen.load(); }));
    thread.join();
}

BOOST_AUTO_TEST_CASE(poll_until_fails_after_the_limit)
{
    test::captured_failures failures;

    const unsigned line = __LINE__ + 1;
    BOOST_TEST(!test::poll_until(ctx, [] { return false; }, 1ms));

    BOOST_TEST(failures.mention("in time"));
    BOOST_TEST(failures.lines().at(0) == line);
}

BOOST_AUTO_TEST_CASE(try_poll_until_asks_for_more_work_only_when_dry)
{
    post_chain(2);
    std::vector<int> ran_when_dry;
    const auto add_work = [&] {
        ran_when_dry.push_back(ran);
        post_chain(1);
        return true;
    };

    BOOST_TEST(test::try_poll_until(ctx, [&] { return ran == 4; }, add_work, 10s));
    BOOST_TEST(ran_when_dry == (std::vector{2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
