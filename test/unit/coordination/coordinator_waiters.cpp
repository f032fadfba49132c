// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/detail/coordinator_waiters.hpp>

#include "support/check_error.hpp"
#include "support/message_of.hpp"
#include "support/printing.hpp"
#include "unit/coordination/core_fixture.hpp"
#include <sluice/detail/waiting/wait_service.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <exception>
#include <tuple>
#include <utility>

namespace asio = boost::asio;
namespace detail = sluice::detail;
namespace test = sluice::test;
using namespace std::chrono_literals;
using namespace test::coordination;
using detail::delivery;
using detail::wait_mode;
using sluice::errc;

namespace coordinator_waiters {

// An operation whose owner is the test.
template <class Waiter>
class owned final : public Waiter
{
public:
    explicit owned(typename Waiter::arguments args) : Waiter(std::move(args)) {}

    ~owned() { Waiter::forget(); }

    void deliver() noexcept override
    {
        ++delivered;
        Waiter::finish_delivery();
    }

    void abandon() noexcept override { ++abandoned; }

    int delivered = 0;
    int abandoned = 0;
};

using stop_operation = owned<detail::wait_for_stop_waiter>;
using join_operation = owned<detail::join_tasks_waiter>;

template <class Operation>
std::exception_ptr thrown_by(const Operation& operation)
{
    try {
        operation.result();
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

struct waiters_fixture : core_fixture
{
    stop_operation stop{{coord.get()}};
    join_operation join{{coord.get()}};
};

}  // namespace coordinator_waiters

BOOST_FIXTURE_TEST_SUITE(coordinator_waiters, waiters_fixture)

BOOST_AUTO_TEST_CASE(operations_are_described)
{
    BOOST_TEST(stop.describe() == "wait_for_stop");
    BOOST_TEST(join.describe() == "join");
}

// attempts

BOOST_AUTO_TEST_CASE(attempt_that_need_not_wait_completes)
{
    coord->request_stop(nullptr);

    BOOST_TEST(stop.try_start());
    BOOST_TEST(join.try_start());

    BOOST_CHECK_NO_THROW(stop.result());
    BOOST_CHECK_NO_THROW(join.result());
    BOOST_TEST(stop.outcome() == std::tuple(sluice::error_code()));
    BOOST_TEST((join.outcome() == std::tuple(std::exception_ptr())));
    BOOST_TEST(stop.delivered + join.delivered == 0);
}

BOOST_AUTO_TEST_CASE(attempt_that_would_wait_leaves_no_trace)
{
    const auto worker = add_task(coord, "worker");
    BOOST_TEST(!stop.try_start());
    BOOST_TEST(!join.try_start());
    BOOST_TEST(!stop.failed());
    BOOST_TEST(!join.failed());
    BOOST_TEST(!coord->next_due().has_value());

    BOOST_TEST(!stop.start(delivery::inline_if_ready, wait_mode::waits));
    BOOST_TEST(!join.start(delivery::inline_if_ready, wait_mode::waits));
    coord->request_stop(nullptr);
    coord->task_ended(worker, nullptr);

    BOOST_TEST(stop.delivered == 1);
    BOOST_TEST(join.delivered == 1);
    BOOST_TEST(!stop.failed());
    BOOST_TEST(!join.failed());
}

BOOST_AUTO_TEST_CASE(attempt_that_completes_with_the_error_of_the_scope)
{
    coord->request_stop(code(errc::timed_out));  // not to be taken for "would wait"

    BOOST_TEST(join.try_start());

    test::check_error(thrown_by(join), errc::timed_out);
}

BOOST_AUTO_TEST_CASE(branch_that_was_decided_elsewhere_is_not_told_of_the_stop)
{
    detail::claim word;
    stop.claim_ = &word;
    BOOST_TEST(!stop.start(delivery::inline_if_ready, wait_mode::waits));
    BOOST_TEST(word.try_take());

    coord->request_stop(nullptr);

    BOOST_TEST(stop.delivered == 0);
    BOOST_TEST(!stop.is_pending());
}

BOOST_AUTO_TEST_CASE(operation_that_is_always_posted_is_delivered)
{
    coord->request_stop(nullptr);

    BOOST_TEST(!stop.start(delivery::always_posted, wait_mode::waits));
    BOOST_TEST(!join.start(delivery::always_posted, wait_mode::waits));

    BOOST_TEST(stop.delivered == 1);
    BOOST_TEST(join.delivered == 1);
}

// failures

BOOST_AUTO_TEST_CASE(cancelled_operation_throws_its_code_and_says_what_it_was)
{
    const auto worker = add_task(coord, "worker");
    (void)stop.start(delivery::inline_if_ready, wait_mode::waits);
    (void)join.start(delivery::inline_if_ready, wait_mode::waits);

    stop.cancel(errc::timed_out);
    join.cancel(asio::error::operation_aborted);

    test::check_error(thrown_by(stop), errc::timed_out);
    test::check_error(thrown_by(join), asio::error::operation_aborted);
    BOOST_TEST(sluice::test::message_of(thrown_by(stop)).starts_with("wait_for_stop"));
    BOOST_TEST(sluice::test::message_of(thrown_by(join)).starts_with("join"));
    test::check_error(std::get<0>(join.outcome()), asio::error::operation_aborted);
    BOOST_TEST(std::get<0>(stop.outcome()) == errc::timed_out);
    coord->task_ended(worker, nullptr);
}

BOOST_AUTO_TEST_CASE(join_throws_the_very_exception_of_the_scope)
{
    const auto broken = error("broken");
    coord->request_stop(broken);
    BOOST_TEST(join.try_start());

    BOOST_TEST((thrown_by(join) == broken));
    BOOST_TEST((std::get<0>(join.outcome()) == broken));
}

BOOST_AUTO_TEST_CASE(stop_that_has_happened_is_not_taken_back_by_a_cancellation)
{
    coord->request_stop(nullptr);
    BOOST_TEST(stop.try_start());

    stop.cancel(asio::error::operation_aborted);

    BOOST_TEST(!stop.failed());
}

// lifetimes

BOOST_AUTO_TEST_CASE(operation_that_has_waited_may_outlive_its_coordinator)
{
    asio::io_context context;
    BOOST_TEST(detail::attach(stop, context));
    BOOST_TEST(detail::attach(join, context));
    (void)stop.start(delivery::inline_if_ready, wait_mode::waits);
    coord->shut_down();
    coord->detach();
    coord = make_core();

    stop.cancel(asio::error::operation_aborted);

    BOOST_TEST(stop.delivered == 1);
    BOOST_TEST(!stop.failed());
}

BOOST_AUTO_TEST_CASE(operation_is_abandoned_with_its_context)
{
    const auto worker = add_task(coord, "worker");
    {
        asio::io_context context;
        BOOST_TEST(detail::attach(stop, context));
        BOOST_TEST(detail::attach(join, context));
        (void)stop.start(delivery::inline_if_ready, wait_mode::waits);
        (void)join.start(delivery::inline_if_ready, wait_mode::waits);
    }
    BOOST_TEST(stop.abandoned == 1);
    BOOST_TEST(join.abandoned == 1);

    coord->request_stop(nullptr);
    coord->task_ended(worker, nullptr);

    BOOST_TEST(stop.delivered + join.delivered == 0);
}

BOOST_AUTO_TEST_SUITE_END()
