// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/interruption_core.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <optional>
#include <vector>

namespace cli = sluice::cli;
using namespace std::chrono_literals;

namespace interruption_core {

using cli::interruption;
using cli::run_end;
using cli::run_order;
using time_point = cli::interruption_core::time_point;

constexpr time_point start{1h};

// A run that began at `start`, with a limit for each phase.
struct run
{
    explicit run(std::optional<std::chrono::nanoseconds> timeout = 100s)
        : core({.timeout = timeout, .drain = 10s, .patience = 1s}, start)
    {
    }

    // Starts where no time has passed.
    run_order gets(interruption what) { return core.on_interruption(what, start); }

    run_order waits_until(time_point now, bool has_failed = false)
    {
        return core.on_time(now, has_failed);
    }

    cli::interruption_core core;
};

run running()
{
    return run();
}

run draining()
{
    run one;
    (void)(one.gets(interruption::interrupt));
    return one;
}

run stopping()
{
    run one;
    (void)(one.gets(interruption::stop));
    return one;
}

run over()
{
    run one;
    one.core.on_end();
    return one;
}

}  // namespace interruption_core

BOOST_AUTO_TEST_SUITE(interruption_core)

BOOST_AUTO_TEST_CASE(each_interruption_in_each_phase_has_its_order_and_end)
{
    struct answer
    {
        run_order order;
        run_end end;
    };
    constexpr std::array all{
        interruption::interrupt,
        interruption::hangup,
        interruption::drain,
        interruption::stop,
        interruption::silence
    };
    constexpr answer drained{run_order::drain, run_end::drained};
    constexpr answer stopped{run_order::stop, run_end::stopped};
    constexpr answer left{run_order::leave, run_end::done};
    constexpr answer none{run_order::none, run_end::done};
    constexpr answer goes_on{run_order::none, run_end::drained};
    constexpr answer still_stops{run_order::none, run_end::stopped};
    constexpr answer exits{run_order::exit, run_end::stopped};
    struct row
    {
        run (*begin)();
        std::array<answer, 5> answers;
    };
    const row phases[] = {
        {running, {drained, drained, drained, stopped, none}},
        {draining, {stopped, goes_on, goes_on, stopped, stopped}},
        {stopping, {exits, still_stops, still_stops, still_stops, still_stops}},
        {over, {left, left, none, none, none}}
    };
    for (std::size_t phase = 0; phase < std::size(phases); ++phase)
        for (std::size_t i = 0; i < all.size(); ++i)
            BOOST_TEST_CONTEXT("phase " << phase << ", interruption " << i)
            {
                run one = phases[phase].begin();
                const answer expected = phases[phase].answers[i];
                BOOST_TEST((one.gets(all[i]) == expected.order));
                BOOST_TEST((one.core.end() == expected.end));
                BOOST_TEST(one.core.is_over() == (phase == 3));
            }
}

BOOST_AUTO_TEST_CASE(time_alone_does_nothing_before_the_deadline)
{
    for (auto* const begin : {running, draining, stopping}) {
        run one = begin();
        const time_point last = one.core.deadline().value() - 1ns;
        BOOST_TEST((one.waits_until(last) == run_order::none));
        BOOST_TEST((one.waits_until(last, true) == run_order::none));
        BOOST_TEST((one.core.deadline() == last + 1ns));
    }
}

BOOST_AUTO_TEST_CASE(the_timeout_stops_a_run_and_counts_as_the_end_of_it)
{
    run one = running();
    BOOST_TEST((one.core.deadline() == start + 100s));
    BOOST_TEST((one.waits_until(start + 100s) == run_order::stop));
    BOOST_TEST((one.core.end() == run_end::timed_out));
    BOOST_TEST((one.core.deadline() == start + 101s));
}

BOOST_AUTO_TEST_CASE(the_timeout_stops_a_drain)
{
    run one;
    (void)(one.core.on_interruption(interruption::hangup, start + 95s));
    BOOST_TEST((one.core.deadline() == start + 100s));
    BOOST_TEST((one.waits_until(start + 100s) == run_order::stop));
    BOOST_TEST((one.core.end() == run_end::timed_out));
}

BOOST_AUTO_TEST_CASE(an_error_that_came_before_the_timeout_is_the_end)
{
    run one = running();
    BOOST_TEST((one.waits_until(start + 100s, true) == run_order::stop));
    BOOST_TEST((one.core.end() == run_end::failed));
}

BOOST_AUTO_TEST_CASE(an_interruption_after_the_timeout_waits_for_no_worker)
{
    run one = running();
    (void)(one.waits_until(start + 100s));
    BOOST_TEST((one.gets(interruption::hangup) == run_order::none));
    BOOST_TEST((one.gets(interruption::interrupt) == run_order::exit));
    BOOST_TEST((one.core.end() == run_end::timed_out));
}

BOOST_AUTO_TEST_CASE(a_drain_that_takes_too_long_becomes_a_stop)
{
    run one(std::nullopt);
    BOOST_TEST(!one.core.deadline().has_value());
    BOOST_TEST((one.gets(interruption::drain) == run_order::drain));
    BOOST_TEST((one.core.deadline() == start + 10s));
    BOOST_TEST((one.waits_until(start + 10s) == run_order::stop));
    BOOST_TEST((one.core.end() == run_end::stopped));
    BOOST_TEST((one.core.deadline() == start + 11s));
}

BOOST_AUTO_TEST_CASE(a_stop_without_an_end_is_given_up_and_keeps_its_name)
{
    run one = stopping();
    BOOST_TEST((one.core.deadline() == start + 1s));
    BOOST_TEST((one.waits_until(start + 1s) == run_order::give_up));
    BOOST_TEST(one.core.is_over());
    BOOST_TEST((one.core.end() == run_end::stopped));
    BOOST_TEST(!one.core.deadline().has_value());
}

BOOST_AUTO_TEST_CASE(the_end_of_the_pipeline_ends_every_phase_and_its_limits)
{
    for (auto* const begin : {running, draining, stopping}) {
        run one = begin();
        const run_end end = one.core.end();
        one.core.on_end();
        BOOST_TEST(one.core.is_over());
        BOOST_TEST((one.core.end() == end));
        BOOST_TEST(!one.core.deadline().has_value());
        BOOST_TEST((one.waits_until(start + 1h) == run_order::none));
    }
}

BOOST_AUTO_TEST_CASE(a_page_stays_for_its_time_or_until_an_interruption)
{
    run one = over();
    one.core.linger(5s, start);
    BOOST_TEST((one.core.deadline() == start + 5s));
    BOOST_TEST((one.waits_until(start + 4s) == run_order::none));
    BOOST_TEST((one.waits_until(start + 5s) == run_order::leave));

    run for_ever = over();
    for_ever.core.linger(std::chrono::nanoseconds::max(), start);
    BOOST_TEST(!for_ever.core.deadline().has_value());
    BOOST_TEST((for_ever.waits_until(start + 1h) == run_order::none));
    BOOST_TEST((for_ever.gets(interruption::interrupt) == run_order::leave));
}

BOOST_AUTO_TEST_SUITE_END()
