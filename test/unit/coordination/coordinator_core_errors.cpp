// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// What counts as an error of a coordinator, and what becomes of it; its grace period.

#include "support/allocation_counter.hpp"
#include "support/check_error.hpp"
#include "support/printing.hpp"
#include "support/run_threads.hpp"
#include "unit/coordination/core_fixture.hpp"
#include <sluice/coordination/detail/coordinator_core.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace detail = sluice::detail;
namespace test = sluice::test;
using namespace std::chrono_literals;
using namespace test::coordination;
using clock_type = detail::time_limit::clock;
using sluice::errc;

namespace coordinator_core_errors {

std::vector<std::exception_ptr> all_shutdown_noise()
{
    return {
        code(asio::error::operation_aborted),
        code(errc::queue_closed),
        code(errc::end_of_queue),
        code(errc::stop_requested),
    };
}

history messages(const core& of)
{
    history texts;
    for (const auto& exception : of.exceptions())
        texts.push_back(sluice::message_of(exception));
    return texts;
}

struct errors_fixture : core_fixture
{
    // What join() reports now; nothing runs.
    [[nodiscard]] std::string joined_with() const
    {
        join_recorder join(*coord, grace(1h));
        return join.start() ? failure(join) : "the join waits";
    }
};

}  // namespace coordinator_core_errors

BOOST_FIXTURE_TEST_SUITE(coordinator_core_errors, errors_fixture)

// (C2) the first real error, P8

BOOST_AUTO_TEST_CASE(p8_first_real_error_is_reported_and_the_later_are_listed)
{
    coord->request_stop(error("first"));
    coord->request_stop(error("second"));
    coord->request_stop(code(errc::queue_closed));
    coord->request_stop(error("third"));

    BOOST_TEST(joined_with() == "first");
    BOOST_TEST(messages(*coord) == (history{"first", "second", "third"}));
    BOOST_CHECK_THROW(coord->rethrow_requested_exception(), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(d11_real_error_replaces_an_empty_stop)
{
    coord->request_stop(nullptr);
    coord->request_stop(error("late"));

    BOOST_TEST(joined_with() == "late");
}

BOOST_AUTO_TEST_CASE(d11_error_of_a_task_that_ends_after_the_stop_counts)
{
    const auto worker = add_task(coord, "worker");
    coord->request_stop(nullptr);
    join_recorder join(*coord, grace(1h));
    (void)join.start();

    coord->task_ended(worker, error("while stopping"));

    BOOST_TEST(failure(join) == "while stopping");
}

BOOST_AUTO_TEST_CASE(d11_consequences_of_the_stop_are_no_errors)
{
    for (const auto& noise : all_shutdown_noise()) {
        BOOST_TEST_CONTEXT(test::to_text(noise))
        {
            coord = make_core();
            const auto worker = add_task(coord, "worker");
            coord->request_stop(nullptr);

            coord->request_stop(noise);
            coord->task_ended(worker, noise);

            BOOST_TEST(coord->exceptions().empty());
            BOOST_TEST(joined_with() == "none");
        }
    }
}

BOOST_AUTO_TEST_CASE(operation_aborted_without_a_stop_is_an_error)
{
    const auto worker = add_task(coord, "worker");

    coord->task_ended(worker, code(asio::error::operation_aborted));

    BOOST_TEST(coord->should_stop());
    BOOST_TEST(coord->exceptions().size() == 1u);
    BOOST_CHECK_THROW(coord->rethrow_requested_exception(), sluice::system_error);
}

BOOST_AUTO_TEST_CASE(s16_task_with_a_clean_end_does_not_stop_the_others)
{
    for (const errc clean :
         {errc::queue_closed, errc::end_of_queue, errc::stop_requested}) {
        const auto worker = add_task(coord, "worker");
        coord->task_ended(worker, code(clean));
    }

    BOOST_TEST(!coord->should_stop());
    BOOST_TEST(coord->exceptions().empty());
    BOOST_TEST(joined_with() == "none");
}

BOOST_AUTO_TEST_CASE(s16_stop_requested_with_a_clean_exception_stops_without_error)
{
    coord->request_stop(code(errc::end_of_queue));

    BOOST_TEST(coord->should_stop());
    BOOST_TEST(joined_with() == "none");
    BOOST_CHECK_NO_THROW(coord->rethrow_requested_exception());
}

BOOST_AUTO_TEST_CASE(option_decides_what_is_clean)
{
    const auto only_broken_is_clean = [](const std::exception_ptr& exception) {
        return sluice::message_of(exception) == "broken";
    };
    coord = make_core({.is_clean_stop = only_broken_is_clean});
    coord->task_ended(add_task(coord, "worker"), error("broken"));
    BOOST_TEST(!coord->should_stop());

    coord->task_ended(add_task(coord, "worker"), code(errc::end_of_queue));

    BOOST_TEST(coord->should_stop());  // not clean any more, and no consequence of a stop
    BOOST_TEST(coord->exceptions().size() == 1u);
}

BOOST_AUTO_TEST_CASE(option_without_a_function_has_nothing_clean_but_consequences)
{
    coord = make_core({.is_clean_stop = nullptr});

    coord->task_ended(add_task(coord, "first"), code(errc::end_of_queue));
    coord->request_stop(code(errc::end_of_queue));

    BOOST_TEST(coord->exceptions().size() == 1u);
}

BOOST_AUTO_TEST_CASE(request_after_the_join_throws_a_real_error_to_its_caller)
{
    BOOST_TEST(joined_with() == "none");

    BOOST_CHECK_NO_THROW(coord->request_stop(nullptr));
    BOOST_CHECK_NO_THROW(coord->request_stop(code(errc::end_of_queue)));
    BOOST_CHECK_THROW(coord->request_stop(error("too late")), std::runtime_error);

    BOOST_TEST(coord->exceptions().empty());
}

BOOST_AUTO_TEST_CASE(request_that_races_a_join_is_thrown_or_joined)
{
    constexpr std::size_t rounds = 50'000;
    std::vector<core_ptr> cores;
    for (std::size_t round = 0; round != rounds; ++round)
        cores.push_back(make_core());
    std::vector<char> thrown(rounds);
    std::vector<char> joined(rounds);
    std::atomic<std::size_t> arrived{0};

    test::run_threads(2, [&](std::size_t index) {
        const auto cause = error("broken");
        for (std::size_t round = 0; round != rounds; ++round) {
            ++arrived;
            while (arrived < 2 * (round + 1))  // both reach the round together
                std::this_thread::yield();
            core& scope = *cores[round];
            if (index == 0) {
                join_recorder join(scope, grace(1h));
                joined[round] = join.start() && join.failed();
                continue;
            }
            try {
                scope.request_stop(cause);
            } catch (const std::runtime_error&) {
                thrown[round] = 1;
            }
        }
    });

    int lost = 0;
    for (std::size_t round = 0; round != rounds; ++round)
        lost += thrown[round] + joined[round] != 1;
    BOOST_TEST(lost == 0);
}

// clear_stop

BOOST_AUTO_TEST_CASE(clear_stop_begins_anew)
{
    coord->request_stop(error("first"));
    const auto old_token = coord->get_stop_token();
    BOOST_TEST(joined_with() == "first");

    coord->clear_stop();

    BOOST_TEST(!coord->should_stop());
    BOOST_TEST(!coord->joined());
    BOOST_TEST(coord->exceptions().empty());
    BOOST_CHECK_NO_THROW(coord->rethrow_requested_exception());
    BOOST_TEST(old_token.stop_requested());
    BOOST_TEST(!coord->get_stop_token().stop_requested());

    coord->request_stop(error("second"));
    BOOST_TEST(coord->get_stop_token().stop_requested());
    BOOST_TEST(joined_with() == "second");
}

BOOST_AUTO_TEST_CASE(clear_stop_keeps_the_tasks_and_allows_new_ones)
{
    const auto old_task = add_task(coord, "old");
    coord->request_stop(nullptr);
    coord->clear_stop();
    const auto new_task = add_task(coord, "new");
    join_recorder join(*coord, grace(1h));
    BOOST_TEST(!join.start());

    coord->task_ended(new_task, nullptr);
    BOOST_TEST(join.delivered == 0);
    coord->task_ended(old_task, nullptr);

    BOOST_TEST(join.delivered == 1);
}

BOOST_AUTO_TEST_CASE(task_stopped_before_clear_stop_does_not_stop_the_new_run)
{
    for (const auto& noise : all_shutdown_noise()) {
        BOOST_TEST_CONTEXT(test::to_text(noise))
        {
            coord = make_core({.is_clean_stop = nullptr});
            const auto straggler = add_task(coord, "straggler");
            coord->request_stop(nullptr);
            join_recorder hasty(*coord, grace(0s));
            (void)hasty.start();
            coord->expire_joins(clock_type::time_point::max());
            coord->clear_stop();

            coord->task_ended(straggler, noise);

            BOOST_TEST(!coord->should_stop());
            BOOST_TEST(coord->exceptions().empty());
        }
    }
}

BOOST_AUTO_TEST_CASE(task_of_the_new_run_is_not_taken_for_a_stopped_one)
{
    coord->request_stop(nullptr);
    coord->clear_stop();
    const auto worker = add_task(coord, "worker");

    coord->task_ended(worker, code(asio::error::operation_aborted));

    BOOST_TEST(coord->should_stop());
    BOOST_TEST(coord->exceptions().size() == 1u);
}

// the grace period

BOOST_AUTO_TEST_CASE(s19_grace_period_does_not_begin_before_the_stop)
{
    const auto worker = add_task(coord, "worker");
    join_recorder join(*coord, grace(5s));
    (void)join.start();
    BOOST_TEST(!coord->next_due().has_value());
    coord->expire_joins(clock_type::time_point::max());
    BOOST_TEST(join.delivered == 0);

    const auto before = clock_type::now();
    coord->request_stop(nullptr);

    BOOST_REQUIRE(coord->next_due().has_value());
    BOOST_TEST((*coord->next_due() >= before + 5s));
    coord->task_ended(worker, nullptr);
    BOOST_TEST(!coord->next_due().has_value());
}

BOOST_AUTO_TEST_CASE(s19_grace_period_of_a_later_join_begins_with_the_join)
{
    const auto worker = add_task(coord, "worker");
    coord->request_stop(nullptr);
    const auto before = clock_type::now();
    join_recorder join(*coord, grace(5s));

    (void)join.start();

    BOOST_REQUIRE(coord->next_due().has_value());
    BOOST_TEST((*coord->next_due() >= before + 5s));
    coord->task_ended(worker, nullptr);
}

BOOST_AUTO_TEST_CASE(joins_expire_at_their_own_times)
{
    const auto worker = add_task(coord, "worker");
    join_recorder patient(*coord, grace(10s));
    join_recorder hasty(*coord, grace(5s));
    (void)patient.start();
    (void)hasty.start();
    coord->request_stop(nullptr);
    const auto first_due = coord->next_due().value();

    coord->expire_joins(first_due - 1ns);
    BOOST_TEST(hasty.delivered == 0);
    coord->expire_joins(first_due);

    BOOST_TEST(hasty.error() == errc::tasks_still_running);
    BOOST_TEST(patient.delivered == 0);
    BOOST_TEST((coord->next_due().value() == first_due + 5s));
    BOOST_TEST(coord->joined());
    coord->task_ended(worker, nullptr);
    BOOST_TEST(!patient.failed());
}

BOOST_AUTO_TEST_CASE(join_that_began_after_clear_stop_does_not_expire_with_an_earlier_one)
{
    const auto worker = add_task(coord, "worker");
    join_recorder earlier(*coord, grace(5s));
    (void)earlier.start();
    coord->request_stop(nullptr);
    const auto due = coord->next_due().value();
    coord->clear_stop();
    join_recorder later(*coord, grace(0s));
    (void)later.start();

    coord->expire_joins(due);

    BOOST_TEST(earlier.error() == errc::tasks_still_running);
    BOOST_TEST(later.delivered == 0);
    coord->task_ended(worker, nullptr);
    BOOST_TEST(!later.failed());
}

BOOST_AUTO_TEST_CASE(stragglers_are_not_described_before_a_join_is_due)
{
    const auto worker = add_task(coord, "worker");
    join_recorder join(*coord, grace(5s));
    (void)join.start();
    coord->request_stop(nullptr);
    const auto due = coord->next_due().value();
    const test::allocation_counter counter;

    coord->expire_joins(due - 1ns);

    counter.check_none();
    coord->task_ended(worker, nullptr);
}

BOOST_AUTO_TEST_CASE(p9_stragglers_are_named_with_what_they_wait_on)
{
    const auto busy = add_task(coord, "busy");
    const auto stuck = add_task(coord, "stuck");
    stop_recorder operation(*coord);
    stuck->log()->begin(operation);
    join_recorder join(*coord, grace(0s));
    coord->request_stop(nullptr);
    BOOST_TEST(!join.start());  // the time is up at once, but tasks may have ended

    coord->expire_joins(coord->next_due().value());

    test::check_error(join.exception_, errc::tasks_still_running);
    const std::string text = failure(join);
    BOOST_TEST(text.starts_with("2 tasks: 'busy' not in an operation of a queue for "));
    BOOST_TEST(text.find("; 'stuck' waiting on recorder for ") != std::string::npos);
    const auto infos = coord->tasks();  // S18: they are still listed
    BOOST_REQUIRE(infos.size() == 2u);
    BOOST_TEST(infos[0].name == "busy");
    BOOST_TEST(infos[0].waiting_on == "");
    BOOST_TEST(infos[1].waiting_on == "recorder");
    stuck->log()->end(operation);
    coord->task_ended(busy, nullptr);
    coord->task_ended(stuck, nullptr);
}

BOOST_AUTO_TEST_CASE(error_takes_precedence_over_stragglers)
{
    const auto worker = add_task(coord, "worker");
    join_recorder join(*coord, grace(5s));
    (void)join.start();
    coord->request_stop(error("broken"));

    coord->expire_joins(coord->next_due().value());

    BOOST_TEST(failure(join) == "broken");
    BOOST_TEST(coord->tasks().size() == 1u);
    coord->task_ended(worker, nullptr);
}

BOOST_AUTO_TEST_CASE(join_after_a_failed_join_succeeds_when_the_tasks_have_ended)
{
    const auto worker = add_task(coord, "worker");
    join_recorder hasty(*coord, grace(0s));
    coord->request_stop(nullptr);
    (void)hasty.start();
    coord->expire_joins(clock_type::time_point::max());
    BOOST_TEST(hasty.failed());

    coord->task_ended(worker, nullptr);

    BOOST_TEST(joined_with() == "none");
}

BOOST_AUTO_TEST_CASE(join_cancelled_does_not_expire)
{
    const auto worker = add_task(coord, "worker");
    join_recorder join(*coord, grace(5s));
    (void)join.start();
    coord->request_stop(nullptr);

    coord->cancel(join, asio::error::operation_aborted);
    coord->expire_joins(clock_type::time_point::max());

    BOOST_TEST(join.delivered == 1);
    BOOST_TEST(join.error() == asio::error::operation_aborted);
    BOOST_TEST(!coord->joined());
    coord->task_ended(worker, nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
