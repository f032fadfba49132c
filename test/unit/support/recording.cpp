// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/recording.hpp"

#include "support/check.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>

namespace asio = boost::asio;
namespace test = sluice::test;
using boost::system::error_code;

namespace recording {

const auto aborted = asio::error::make_error_code(asio::error::operation_aborted);

// The two ends of an operation: `op` is what a test holds, the functions what happens.
template <class... Args>
struct operation
{
    std::shared_ptr<test::detail::record_state_of<Args...>> state =
        std::make_shared<test::detail::record_state_of<Args...>>();
    test::recording<Args...> op{state};

    void complete(Args... args)
    {
        state->arguments.emplace(std::move(args)...);
        state->note_call();
    }

    void abandon() { state->note_destruction(); }
};

}  // namespace recording

BOOST_AUTO_TEST_SUITE(recording)

// the checks can fail

BOOST_AUTO_TEST_CASE(checks_of_a_pending_operation_fail_at_the_callers_line)
{
    operation<error_code, int> waiting;

    test::captured_failures failures;
    const unsigned line = __LINE__ + 1;
    waiting.op.check_done();
    waiting.op.check_success();
    waiting.op.check_error(aborted);
    waiting.op.check_value(7);
    waiting.op.check_abandoned();

    BOOST_TEST(
        failures.lines() == (std::vector{line, line + 1, line + 2, line + 3, line + 4})
    );
    BOOST_TEST(failures.mention("not completed"));
    BOOST_TEST(failures.mention("still exists"));
}

BOOST_AUTO_TEST_CASE(checks_of_a_completed_operation_fail)
{
    operation<error_code, int> dequeue;
    dequeue.complete(aborted, 7);

    test::captured_failures failures;
    dequeue.op.check_pending();
    dequeue.op.check_success();
    dequeue.op.check_error(asio::error::eof);
    dequeue.op.check_value(8);
    dequeue.op.check_executor(test::tracking_executor{asio::system_executor{}});
    dequeue.op.check_abandoned();

    BOOST_TEST(failures.count() == 6u);
    BOOST_TEST(failures.mention("the value 7, not 8"));
    BOOST_TEST(failures.mention("on executor 0, not"));
}

BOOST_AUTO_TEST_CASE(success_is_not_the_expected_error)
{
    operation<error_code> enqueue;
    enqueue.complete({});

    test::captured_failures failures;
    enqueue.op.check_error(aborted);

    BOOST_TEST(failures.count() == 1u);
}

BOOST_AUTO_TEST_CASE(abandoned_handler_is_neither_pending_nor_done)
{
    operation<error_code> enqueue;
    enqueue.abandon();
    enqueue.op.check_abandoned();

    test::captured_failures failures;
    enqueue.op.check_pending();
    enqueue.op.check_done();

    BOOST_TEST(failures.count() == 2u);
}

BOOST_AUTO_TEST_CASE(call_inside_an_initiating_function_is_a_failure)
{
    operation<error_code> enqueue;
    {
        test::initiation_guard guard;
        enqueue.complete({});
    }

    test::captured_failures failures;
    enqueue.op.check_success();

    BOOST_TEST(enqueue.op.inside_initiation());
    BOOST_TEST(failures.count() == 1u);
    BOOST_TEST(failures.mention("inside an initiating function"));
}

BOOST_AUTO_TEST_CASE(second_call_is_a_failure)
{
    operation<error_code> enqueue;
    enqueue.complete({});
    enqueue.complete({});

    test::captured_failures failures;
    enqueue.op.check_done();

    BOOST_TEST(failures.count() == 1u);
    BOOST_TEST(failures.mention("called 2 times"));
}

BOOST_AUTO_TEST_SUITE_END()
