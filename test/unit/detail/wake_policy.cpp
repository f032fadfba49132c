// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/wake_policy.hpp>

#include "support/allocation_counter.hpp"
#include "support/failing_allocator.hpp"
#include "support/pump.hpp"
#include "support/run_threads.hpp"

#include <boost/asio/execution_context.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <latch>
#include <optional>
#include <thread>
#include <utility>

namespace asio = boost::asio;
using sluice::detail::recent_runs;
using policy = sluice::detail::wake_policy;

namespace {

struct runs_fixture
{
    // A run that begins so long after the last one began.
    bool add(recent_runs::clock::duration later, recent_runs::clock::duration length)
    {
        now += later;
        return recent.add(now, now + length);
    }

    void add_short(int count)
    {
        bool all = true;
        for (; count > 0; --count)
            all = add(recent_runs::close_together, recent_runs::short_run) && all;
        BOOST_TEST(all);
    }

    recent_runs recent;
    recent_runs::clock::time_point now{std::chrono::hours(1)};
};

constexpr std::chrono::nanoseconds a_moment{1};

// As many wakes, each in a short run, as it takes to decide to keep them; how many were kept.
int wake_often(asio::io_context& context)
{
    int kept = 0;
    asio::post(context, [&] {
        for (int i = 0; i < 10'000; ++i) {
            kept += policy::keeper(context) != nullptr ? 1 : 0;
            policy::run_ends();
        }
    });
    context.restart();
    context.run();
    return kept;
}

// Takes what wakes do until they are kept; false if the clock never shows short runs.
bool comes_to_keep(asio::io_context& context)
{
    const auto given_up = recent_runs::clock::now() + sluice::test::patience;
    while (policy::keeper(context) == nullptr) {
        if (recent_runs::clock::now() > given_up)
            return false;
        policy::run_ends();
    }
    return true;
}

// Runs a context when its thread ends.
struct late_run
{
    ~late_run()
    {
        asio::io_context context;
        kept += wake_often(context);
    }

    int& kept;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(wake_policy)

BOOST_FIXTURE_TEST_SUITE(runs, runs_fixture)

BOOST_AUTO_TEST_CASE(are_short_after_many_short_ones_in_a_row)
{
    add_short(recent_runs::trusted - 1);
    BOOST_TEST(!recent.are_short());
    add_short(1);
    BOOST_TEST(recent.are_short());
    add_short(1);
    BOOST_TEST(recent.are_short());
}

BOOST_AUTO_TEST_CASE(long_one_begins_the_count_again)
{
    add_short(recent_runs::trusted);
    BOOST_TEST(!add(a_moment, recent_runs::short_run + a_moment));
    BOOST_TEST(!recent.are_short());
    add_short(recent_runs::trusted - 1);
    BOOST_TEST(!recent.are_short());
    add_short(1);
    BOOST_TEST(recent.are_short());
}

BOOST_AUTO_TEST_CASE(pause_begins_the_count_again)
{
    add_short(recent_runs::trusted);
    BOOST_TEST(add(recent_runs::close_together + a_moment, a_moment));
    BOOST_TEST(!recent.are_short());
    add_short(recent_runs::trusted - 1);
    BOOST_TEST(recent.are_short());  // the one after the pause counts
}

// What blocks now and then must not be held up each time.
BOOST_AUTO_TEST_CASE(twice_as_many_are_needed_after_each_mistake)
{
    recent.distrust();
    add_short(2 * recent_runs::trusted - 1);
    BOOST_TEST(!recent.are_short());
    add_short(1);
    BOOST_TEST(recent.are_short());
    for (int i = 0; i < 100; ++i)
        recent.distrust();
    BOOST_TEST(!recent.are_short());
    add_short(recent_runs::trusted_at_last);
    BOOST_TEST(recent.are_short());
}

BOOST_AUTO_TEST_CASE(are_unknown_once_forgotten)
{
    add_short(recent_runs::trusted);
    recent.forget();
    BOOST_TEST(!recent.are_short());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(thread_outside_the_context_keeps_nothing)
{
    asio::io_context ctx;
    for (int i = 0; i < 10 * recent_runs::trusted; ++i) {
        BOOST_TEST(policy::keeper(ctx) == nullptr);
        policy::run_ends();
    }
}

BOOST_AUTO_TEST_CASE(thread_alone_keeps_nothing_however_short_its_runs)
{
    std::jthread([] {}).join();  // so that the process has had a second one
    asio::io_context ctx;
    BOOST_TEST(wake_often(ctx) == 0);
}

// Regression: the thread had given up the first context for one that it could not enter.
BOOST_AUTO_TEST_CASE(memory_runs_out_when_a_thread_comes_to_another_context)
{
    std::jthread([] {}).join();
    asio::io_context first;
    asio::io_context second;
    asio::use_service<sluice::detail::wake_watch>(second);
    BOOST_TEST(wake_often(first) == 0);
    int kept = 0;
    asio::post(second, [&] {
        sluice::test::allocation_budget none{0};
        const sluice::test::failing_new region(none);
        for (int i = 0; i < 10'000; ++i) {
            kept += policy::keeper(second) != nullptr ? 1 : 0;
            policy::run_ends();
        }
    });
    second.run();
    BOOST_TEST(kept == 0);
    BOOST_TEST(wake_often(first) == 0);
}

// Regression: what the thread kept was gone, and used.
BOOST_AUTO_TEST_CASE(thread_that_ends_keeps_nothing)
{
    int kept = 0;
    std::thread([&kept] {
        thread_local late_run at_the_end{kept};
        asio::io_context context;
        kept += at_the_end.kept + wake_often(context);
    }).join();
    BOOST_TEST(kept == 0);
}

// Ends as soon as the clock shows enough short runs in a row; and then, long ones.
BOOST_AUTO_TEST_CASE(threads_keep_wakes_while_their_runs_are_short)
{
    using clock = recent_runs::clock;
    asio::io_context ctx;
    std::latch both(2);
    std::atomic<int> keeping = 0;
    const auto on_each_thread = [&] {
        both.arrive_and_wait();
        keeping += comes_to_keep(ctx) ? 1 : 0;
        while (policy::keeper(ctx) != nullptr) {
            const auto began = clock::now();
            while (clock::now() - began <= recent_runs::short_run) {}
            policy::run_ends();
        }
        policy::run_ends();
    };
    asio::post(ctx, on_each_thread);
    asio::post(ctx, on_each_thread);
    sluice::test::run_threads(2, [&] { ctx.run(); });
    BOOST_TEST(keeping == 2);
}

// The measurement that the one context began ends in the other, when the first is gone.
BOOST_AUTO_TEST_CASE(thread_that_kept_wakes_of_a_dead_context_goes_on_in_another)
{
    using clock = recent_runs::clock;
    std::optional<asio::io_context> first(std::in_place);
    std::latch both(2);
    std::latch kept(2);
    std::atomic<int> keeping = 0;
    const auto keep = [&] {
        both.arrive_and_wait();
        keeping += comes_to_keep(*first) ? 1 : 0;
        kept.arrive_and_wait();
    };
    asio::post(*first, keep);
    asio::post(*first, keep);
    std::jthread other([&] { first->run(); });
    first->run();
    other.join();
    BOOST_TEST(keeping == 2);
    const auto began = clock::now();
    first.reset();
    while (clock::now() - began <= recent_runs::short_run) {}
    asio::io_context second;
    BOOST_TEST(wake_often(second) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
