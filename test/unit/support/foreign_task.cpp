// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/foreign_task.hpp"

#include "support/check.hpp"
#include "support/counted.hpp"

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <coroutine>
#include <optional>
#include <stdexcept>

namespace asio = boost::asio;
namespace test = sluice::test;

namespace {

// An awaitable that the test resumes by hand, as an operation of any library would.
struct gate
{
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> handle) noexcept { waiting = handle; }
    int await_resume() const noexcept { return value; }

    void open(int with)
    {
        value = with;
        std::exchange(waiting, nullptr).resume();
    }

    std::coroutine_handle<> waiting;
    int value = 0;
};

test::foreign_task<int> wait_at(gate& g)
{
    const test::counted element{1};
    co_return co_await g + element.value();
}

test::foreign_task<> throw_after(gate& g)
{
    co_await g;
    throw boost::system::system_error{asio::error::operation_aborted};
}

// As deep as the number says.
test::foreign_task<int> nested(gate& g, int depth)
{
    if (depth == 0)
        co_return co_await g;
    co_return 1 + co_await nested(g, depth - 1);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(foreign_task, test::counted_fixture)

// life of a task

BOOST_AUTO_TEST_CASE(task_is_lazy_and_runs_when_resumed)
{
    gate g;
    auto task = wait_at(g);
    BOOST_TEST(!g.waiting);
    BOOST_TEST(task.check_pending());

    task.start();
    BOOST_TEST(!!g.waiting);
    BOOST_TEST(task.check_pending());

    g.open(4);
    BOOST_TEST(task.check_done());
    BOOST_TEST(task.result() == 5);
    BOOST_TEST((task.error() == nullptr));
}

BOOST_AUTO_TEST_CASE(exception_is_kept_and_rethrown)
{
    gate g;
    auto task = throw_after(g);
    task.start();

    g.open(0);

    BOOST_TEST(task.check_error(asio::error::operation_aborted));
    BOOST_CHECK_THROW(task.result(), boost::system::system_error);
}

BOOST_AUTO_TEST_CASE(result_may_be_move_only)
{
    auto task = []() -> test::foreign_task<test::counted> {
        co_return test::counted{3};
    }();
    task.start();

    BOOST_TEST(task.result() == 3);
}

BOOST_AUTO_TEST_CASE(destroying_a_task_destroys_its_suspended_frame)
{
    gate g;
    {
        auto task = wait_at(g);
        task.start();
        BOOST_TEST(alive() == 1);
    }
    BOOST_TEST(alive() == 0);

    auto task = wait_at(g);
    task.start();
    task.destroy();
    BOOST_TEST(alive() == 0);
    BOOST_TEST(!task.done());
}

BOOST_AUTO_TEST_CASE(task_that_was_never_started_is_destroyed)
{
    gate g;
    BOOST_TEST(wait_at(g).check_pending());
}

// tasks that await tasks

BOOST_AUTO_TEST_CASE(task_awaits_task)
{
    gate g;
    auto task = nested(g, 2);
    task.start();
    BOOST_TEST(task.check_pending());

    g.open(10);

    BOOST_TEST(task.result() == 12);
}

BOOST_AUTO_TEST_CASE(exception_passes_through_the_awaiting_task)
{
    gate g;
    auto task = [](gate& inner) -> test::foreign_task<> {
        co_await throw_after(inner);
    }(g);
    task.start();

    g.open(0);

    BOOST_TEST(task.check_error(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(destroying_the_outer_task_destroys_the_inner_frame)
{
    gate g;
    auto task = [](gate& inner) -> test::foreign_task<int> {
        co_return co_await wait_at(inner);
    }(g);
    task.start();
    BOOST_TEST(alive() == 1);

    task.destroy();

    BOOST_TEST(alive() == 0);
}

// the checks can fail

BOOST_AUTO_TEST_CASE(checks_fail_when_they_should)
{
    gate g;
    auto task = wait_at(g);
    task.start();

    test::captured_failures failures;
    BOOST_TEST(!task.check_done());
    BOOST_TEST(!task.check_error(asio::error::operation_aborted));
    BOOST_CHECK_THROW(task.result(), std::logic_error);
    task.start();
    g.open(0);
    BOOST_TEST(!task.check_pending());
    BOOST_TEST(!task.check_error(asio::error::operation_aborted));

    BOOST_TEST(failures.count() == 5u);
}

BOOST_AUTO_TEST_SUITE_END()
