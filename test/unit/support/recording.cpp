// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/recording.hpp"

#include "support/check.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/test/unit_test.hpp>

#include <deque>
#include <memory>
#include <stdexcept>

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

// what is recorded

BOOST_AUTO_TEST_CASE(nothing_has_happened_yet)
{
    operation<error_code> waiting;

    waiting.op.check_pending();

    BOOST_TEST(!waiting.op.done());
    BOOST_TEST(!waiting.op.abandoned());
    BOOST_TEST(waiting.op.calls() == 0);
}

BOOST_AUTO_TEST_CASE(success_with_a_value)
{
    operation<error_code, int> dequeue;

    dequeue.complete({}, 7);

    dequeue.op.check_success().check_value(7);
    BOOST_TEST(dequeue.op.done());
    BOOST_TEST(dequeue.op.calls() == 1);
    BOOST_TEST(!dequeue.op.inside_initiation());
    BOOST_TEST((dequeue.op.thread() == std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(error_and_several_values)
{
    operation<error_code, std::vector<int>, char> dequeue;

    dequeue.complete(aborted, {1, 2}, 'x');

    dequeue.op.check_error(asio::error::operation_aborted)
        .check_error(boost::system::errc::operation_canceled)
        .check_value(std::vector{1, 2})
        .check_value(std::vector{1L, 2L})
        .check_value<1>('x');
}

BOOST_AUTO_TEST_CASE(signature_without_an_error)
{
    operation<> nothing;
    operation<int> value;

    nothing.complete();
    value.complete(5);

    nothing.op.check_success();
    value.op.check_success().check_value(5);
}

BOOST_AUTO_TEST_CASE(signature_with_an_exception)
{
    operation<std::exception_ptr> ok, system, other;

    ok.complete(nullptr);
    system.complete(std::make_exception_ptr(boost::system::system_error{aborted}));
    other.complete(std::make_exception_ptr(std::runtime_error{"broken"}));

    ok.op.check_success();
    BOOST_TEST(!ok.op.error());
    system.op.check_error(asio::error::operation_aborted);
    BOOST_TEST(other.op.error() != error_code{});
    BOOST_CHECK_THROW(std::rethrow_exception(other.op.exception()), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(move_only_value_can_be_taken)
{
    operation<error_code, std::unique_ptr<int>> dequeue;
    dequeue.complete({}, std::make_unique<int>(3));

    const std::unique_ptr<int> taken = std::move(dequeue.op.value());

    BOOST_TEST(*taken == 3);
}

BOOST_AUTO_TEST_CASE(destruction_after_the_call_is_not_abandonment)
{
    operation<error_code> enqueue;

    enqueue.complete({});
    enqueue.abandon();

    BOOST_TEST(!enqueue.op.abandoned());
}

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

BOOST_AUTO_TEST_CASE(unequal_elements_of_another_container_type)
{
    operation<error_code, std::vector<int>> dequeue;
    dequeue.complete({}, {1, 2});

    test::captured_failures failures;
    dequeue.op.check_value(std::deque{1, 2});
    BOOST_TEST(failures.count() == 0u);
    dequeue.op.check_value(std::deque{1, 3});
    dequeue.op.check_value(std::deque{1});
    BOOST_TEST(failures.count() == 2u);
    BOOST_TEST(failures.mention("[1, 2], not [1, 3]"));
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
