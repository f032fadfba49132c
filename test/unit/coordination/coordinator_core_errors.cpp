// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: D11 P8 S16 S56

// What counts as an error of a coordinator, and what becomes of it.

#include "support/message_of.hpp"
#include "support/printing.hpp"
#include "unit/coordination/core_fixture.hpp"

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using namespace test::coordination;
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
        texts.push_back(sluice::test::message_of(exception));
    return texts;
}

struct errors_fixture : core_fixture
{
    // What join() reports now; nothing runs.
    [[nodiscard]] std::string joined_with() const
    {
        join_recorder join(*coord);
        return join.start() ? failure(join) : "the join waits";
    }
};

}  // namespace coordinator_core_errors

BOOST_FIXTURE_TEST_SUITE(coordinator_core_errors, errors_fixture)

// (C2) the first error, P8

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
    join_recorder join(*coord);
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

BOOST_AUTO_TEST_CASE(s56_an_exception_for_which_the_option_throws_is_an_error)
{
    coord = make_core({.is_clean_stop = [](const std::exception_ptr& exception) -> bool {
        std::rethrow_exception(exception);
    }});
    const auto first = add_task(coord, "first");
    const auto second = add_task(coord, "second");

    coord->task_ended(first, error("broken"));
    coord->task_ended(second, code(errc::queue_closed));  // which the stop causes

    BOOST_TEST(coord->should_stop());
    BOOST_TEST(joined_with() == "broken");
    BOOST_TEST(coord->exceptions().size() == 1u);
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

BOOST_AUTO_TEST_CASE(task_stopped_before_clear_stop_does_not_stop_the_new_run)
{
    for (const auto& noise : all_shutdown_noise()) {
        BOOST_TEST_CONTEXT(test::to_text(noise))
        {
            coord = make_core({.stop_grace_period = 0s, .is_clean_stop = nullptr});
            const auto straggler = add_task(coord, "straggler");
            coord->request_stop(nullptr);
            join_recorder hasty(*coord);
            (void)hasty.start();
            coord->time_passed(core::clock::time_point::max());
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

BOOST_AUTO_TEST_SUITE_END()
