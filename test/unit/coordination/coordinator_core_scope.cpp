// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// A coordinator that is a scope: when it ends, with what, and what its owner is told.

#include "support/check_error.hpp"
#include "support/errors_of.hpp"
#include "unit/coordination/core_fixture.hpp"
#include <sluice/coordination/detail/coordinator_core.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace test = sluice::test;
using namespace std::chrono_literals;
using namespace test::coordination;
using sluice::errc;

namespace coordinator_core_scope {

// The coroutine that awaits the scope.
struct owner final : sluice::detail::scope_owner
{
    void scope_ended() noexcept override { ++ends; }

    int ends = 0;
};

// A scope with its body; time stands still until the test moves it.
struct scope_fixture : core_fixture
{
    scope_fixture() { renew({.stop_grace_period = 5s, .overdue_after = 2s}); }

    void renew(
        const sluice::coordinator_options& options,
        const core_ptr& parent = nullptr
    )
    {
        if (body)
            coord->task_ended(body, nullptr);
        waiting = {};
        coord = core_ptr(new core(options, parent));
        coord->time = start;
        coord->join_parent();
        coord->hold_for(waiting);
        body = std::make_shared<task>("body", events);
        body->set_body();
        coord->add_task(body);
        coord->let_go();
    }

    auto reporting()
    {
        return [this](const auto& tasks) {
            for (const sluice::task_info& each : tasks)
                events.push_back("report " + each.name);
        };
    }

    void pass(std::chrono::nanoseconds time)
    {
        *coord->time += time;
        coord->time_passed(*coord->time);
    }

    static constexpr core::clock::time_point start{1h};
    owner waiting;
    std::shared_ptr<task> body;
};

}  // namespace coordinator_core_scope

using coordinator_core_scope::scope_fixture;

BOOST_FIXTURE_TEST_SUITE(coordinator_core_scope, scope_fixture)

// time

BOOST_AUTO_TEST_CASE(scope_waits_on_after_the_grace_period_and_says_so_once)
{
    const auto worker = add_task(coord, "worker");
    coord->request_stop(nullptr);
    BOOST_TEST((coord->next_due() == start + 5s));

    const std::string text = test::errors_of([&] {
        pass(5s - 1ns);
        pass(1ns);
        pass(5s);
    });

    BOOST_TEST(text.starts_with("sluice: with_tasks() waits for 2 tasks: 'body' "));
    BOOST_TEST(text.find('\n') == text.size() - 1);
    BOOST_TEST(!coord->next_due().has_value());
    BOOST_TEST(waiting.ends == 0);
    coord->task_ended(worker, nullptr);
    coord->task_ended(body, nullptr);
    BOOST_TEST(waiting.ends == 1);
    test::check_error(coord->ending().error, errc::tasks_still_running);
}

BOOST_AUTO_TEST_CASE(grace_period_of_zero_or_less_is_due_once)
{
    for (const auto period : {0s, -1s}) {
        renew({.stop_grace_period = period, .on_overdue = reporting()});
        coord->request_stop(nullptr);
        events.clear();

        coord->time_passed(coord->next_due().value());

        BOOST_TEST((events == history{"report body"}));
        BOOST_TEST(!(coord->next_due() <= *coord->time));
    }
    coord->task_ended(body, nullptr);
}

BOOST_AUTO_TEST_CASE(scope_does_not_end_during_a_report)
{
    int ends_during_report = -1;
    renew({.stop_grace_period = 5s, .on_overdue = [&](const auto&) {
               coord->task_ended(body, nullptr);
               ends_during_report = waiting.ends;
           }});
    coord->request_stop(nullptr);

    pass(5s);

    BOOST_TEST(ends_during_report == 0);
    BOOST_TEST(waiting.ends == 1);
}

BOOST_AUTO_TEST_SUITE_END()
