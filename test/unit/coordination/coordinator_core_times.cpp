// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S19

// The grace period of a coordinator, and the report of the tasks that are overdue before it ends.

#include "support/allocation_counter.hpp"
#include "support/message_of.hpp"
#include "support/printing.hpp"
#include "unit/coordination/core_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <stdexcept>
#include <vector>

namespace test = sluice::test;
using namespace std::chrono_literals;
using namespace test::coordination;
using sluice::errc;

namespace coordinator_core_times {

// Time stands still until the test moves it.
struct times_fixture : core_fixture
{
    times_fixture() { renew(); }

    void renew()
    {
        coord = make_core(
            {.stop_grace_period = 5s,
             .overdue_after = 2s,
             .on_overdue = [this](const auto& tasks) { report(tasks); }}
        );
        coord->time = start;
    }

    void report(const std::vector<sluice::task_info>& tasks)
    {
        for (const sluice::task_info& task : tasks)
            events.push_back("overdue " + task.name);
    }

    // After so much time the core does what is to be done then.
    void pass(std::chrono::nanoseconds time)
    {
        *coord->time += time;
        coord->time_passed(*coord->time);
    }

    static constexpr core::clock::time_point start{1h};
};

}  // namespace coordinator_core_times

BOOST_FIXTURE_TEST_SUITE(coordinator_core_times, times_fixture)

// the grace period

BOOST_AUTO_TEST_CASE(s19_grace_period_does_not_begin_before_the_stop)
{
    const auto worker = add_task(coord, "worker");
    join_recorder join(*coord);
    (void)join.start();
    BOOST_TEST(!coord->next_due().has_value());
    pass(1h);
    BOOST_TEST(join.delivered == 0);

    coord->request_stop(nullptr);
    pass(5s - 1ns);
    BOOST_TEST(join.delivered == 0);
    pass(1ns);

    BOOST_TEST(join.error() == errc::tasks_still_running);
    BOOST_TEST(coord->joined());
    coord->task_ended(worker, nullptr);
    BOOST_TEST(!coord->next_due().has_value());
}

BOOST_AUTO_TEST_CASE(s19_grace_period_of_a_later_join_begins_with_the_join)
{
    const auto worker = add_task(coord, "worker");
    join_recorder early(*coord);
    (void)early.start();
    coord->request_stop(nullptr);
    pass(3s);
    join_recorder late(*coord);
    (void)late.start();

    pass(2s);
    BOOST_TEST(early.error() == errc::tasks_still_running);
    BOOST_TEST(late.delivered == 0);
    BOOST_TEST((coord->next_due() == start + 8s));
    pass(3s);

    BOOST_TEST(late.error() == errc::tasks_still_running);
    coord->task_ended(worker, nullptr);
}

BOOST_AUTO_TEST_CASE(grace_period_beyond_what_the_clock_can_count_does_not_end)
{
    coord = make_core({.stop_grace_period = std::chrono::steady_clock::duration::max()});
    const auto worker = add_task(coord, "worker");
    join_recorder join(*coord);
    (void)join.start();

    coord->request_stop(nullptr);
    coord->time_passed(core::clock::now() + 24h);

    BOOST_TEST(join.delivered == 0);
    coord->task_ended(worker, nullptr);
    BOOST_TEST(!join.failed());
}

BOOST_AUTO_TEST_CASE(tasks_that_still_run_are_not_described_before_a_join_is_due)
{
    const auto worker = add_task(coord, "worker");
    join_recorder join(*coord);
    (void)join.start();
    coord->request_stop(nullptr);
    const test::allocation_counter counter;

    pass(1s);

    counter.check_none();
    coord->task_ended(worker, nullptr);
}

// what is overdue

BOOST_AUTO_TEST_CASE(overdue_tasks_are_reported_once_and_without_a_join)
{
    const auto worker = add_task(coord, "worker");
    coord->request_stop(nullptr);
    BOOST_TEST((coord->next_due() == start + 2s));
    events.clear();

    pass(2s);
    pass(2s);
    coord->request_stop(nullptr);
    pass(2s);

    BOOST_TEST(events == (history{"overdue worker"}));
    BOOST_TEST(!coord->next_due().has_value());
    coord->task_ended(worker, nullptr);
}

BOOST_AUTO_TEST_CASE(nothing_is_overdue_after_clear_stop_or_without_an_owner)
{
    const auto worker = add_task(coord, "worker");
    coord->request_stop(nullptr);
    coord->clear_stop();
    events.clear();
    pass(2s);
    BOOST_TEST(events.empty());

    coord->shut_down();
    events.clear();
    pass(2s);

    BOOST_TEST(events.empty());
    coord->task_ended(worker, nullptr);
}

BOOST_AUTO_TEST_CASE(
    overdue_tasks_of_a_child_are_reported_by_the_parent_if_that_has_stopped
)
{
    const core_ptr child(new core(coord->options(), coord));
    child->time = start;
    child->join_parent();
    const auto nested = add_task(child, "nested");

    coord->request_stop(nullptr);
    events.clear();
    child->time_passed(start + 2s);
    BOOST_TEST(events.empty());
    pass(2s);

    BOOST_TEST(events == (history{"overdue nested"}));
    child->task_ended(nested, nullptr);
    child->shut_down();
}

BOOST_AUTO_TEST_CASE(overdue_tasks_of_a_child_that_stopped_alone_are_reported_by_the_child
)
{
    const core_ptr child(new core(coord->options(), coord));
    child->time = start;
    child->join_parent();
    const auto nested = add_task(child, "nested");

    child->request_stop(nullptr);
    events.clear();
    child->time_passed(start + 2s);

    BOOST_TEST(events == (history{"overdue nested"}));
    child->task_ended(nested, nullptr);
    child->shut_down();
}

BOOST_AUTO_TEST_CASE(report_may_use_the_core)
{
    bool is_stopped = false;
    coord = make_core({.on_overdue = [&](const auto&) {
        is_stopped = coord->should_stop() && coord->tasks().size() == 1;
    }});
    const auto worker = add_task(coord, "worker");
    coord->request_stop(nullptr);

    coord->time_passed(coord->next_due().value());

    BOOST_TEST(is_stopped);
    coord->task_ended(worker, nullptr);
}

// It is called by a timer: an exception would come out of the event loop.
BOOST_AUTO_TEST_CASE(what_a_report_throws_is_an_error_of_the_coordinator)
{
    coord = make_core(
        {.stop_grace_period = 5s,
         .overdue_after = 2s,
         .on_overdue = [](const auto&) { throw std::runtime_error("log failed"); }}
    );
    coord->time = start;
    const auto worker = add_task(coord, "worker");
    join_recorder join(*coord);
    (void)join.start();
    coord->request_stop(nullptr);

    pass(2s);
    BOOST_TEST(join.delivered == 0);
    BOOST_TEST(coord->exceptions().size() == 1u);
    BOOST_TEST((coord->next_due() == start + 5s));  // what is behind it is done, too

    coord->task_ended(worker, nullptr);
    BOOST_TEST(join.delivered == 1);
    BOOST_TEST(sluice::test::message_of(join.exception_) == "log failed");
}

BOOST_AUTO_TEST_SUITE_END()
