// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/tracking_executor.hpp"

#include "support/io_fixture.hpp"
#include "support/printing.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <thread>

namespace asio = boost::asio;
namespace test = sluice::test;

static_assert(asio::execution::is_executor_v<test::tracking_executor>);

namespace tracking_executor {

struct tracking_fixture : test::io_fixture
{
    test::tracking_executor first{ctx.get_executor()};
    test::tracking_executor second{ctx.get_executor()};
    std::vector<int> seen;

    // A function that notes which executors run it.
    auto note()
    {
        return [this] { seen = test::running_executors(); };
    }
};

}  // namespace tracking_executor

BOOST_FIXTURE_TEST_SUITE(tracking_executor, tracking_fixture)

// where a handler runs

BOOST_AUTO_TEST_CASE(handler_sees_the_executor_that_runs_it)
{
    asio::post(first, note());
    BOOST_TEST(seen.empty());

    run();

    BOOST_TEST(seen == std::vector{first.id()});
    BOOST_TEST(test::current_executor() == 0);
}

BOOST_AUTO_TEST_CASE(handler_on_another_executor_is_told_apart)
{
    asio::post(second, note());
    run();
    BOOST_TEST(seen == std::vector{second.id()});

    asio::post(ctx, note());
    run();
    BOOST_TEST(seen.empty());
}

BOOST_AUTO_TEST_CASE(dispatch_from_inside_nests)
{
    asio::post(first, [this] { asio::dispatch(second, note()); });

    run();

    BOOST_TEST(seen == (std::vector{first.id(), second.id()}));
}

BOOST_AUTO_TEST_CASE(associated_executor_is_used)
{
    asio::post(ctx, asio::bind_executor(first, note()));

    run();

    BOOST_TEST(seen.back() == first.id());
}

BOOST_AUTO_TEST_CASE(other_threads_have_a_stack_of_their_own)
{
    asio::post(first, [this] { std::thread{note()}.join(); });

    run();

    BOOST_TEST(seen.empty());
}

BOOST_AUTO_TEST_CASE(coroutine_resumes_on_its_executor)
{
    auto op = test::spawn(first, [this]() -> asio::awaitable<int> {
        co_await asio::post(second, asio::use_awaitable);
        note()();
        co_return test::executor_id(co_await asio::this_coro::executor);
    });

    run();

    BOOST_TEST(seen.back() == first.id());
    BOOST_TEST(op.result() == first.id());
}

// the wrapper as an executor

BOOST_AUTO_TEST_CASE(any_io_executor_keeps_the_identity)
{
    asio::any_io_executor any{first};
    any = asio::require(any, asio::execution::blocking.never);
    any = asio::prefer(any, asio::execution::outstanding_work.tracked);
    any = asio::prefer(any, asio::execution::relationship.continuation);

    BOOST_TEST(test::executor_id(any) == first.id());
    BOOST_TEST(test::executor_id(ctx.get_executor()) == 0);
    BOOST_TEST((&asio::query(any, asio::execution::context) == &ctx));

    any.execute(note());
    any = {};
    run();
    BOOST_TEST(seen == std::vector{first.id()});
}

BOOST_AUTO_TEST_CASE(strand_of_it_runs_on_it)
{
    asio::post(asio::make_strand(first), note());

    run();

    BOOST_TEST(seen == std::vector{first.id()});
}

BOOST_AUTO_TEST_CASE(work_guard_keeps_the_context_from_stopping)
{
    auto guard = asio::make_work_guard(first);
    run();
    BOOST_TEST(!ctx.stopped());

    guard.reset();
    run();
    BOOST_TEST(ctx.stopped());
}

BOOST_AUTO_TEST_CASE(equality_is_identity)
{
    const auto copy = first;

    BOOST_TEST((copy == first));
    BOOST_TEST((first != second));
    BOOST_TEST(copy.id() == first.id());
    BOOST_TEST(first.id() != second.id());
}

// initiation_guard

BOOST_AUTO_TEST_CASE(initiation_guard_nests_and_belongs_to_a_thread)
{
    BOOST_TEST(!test::initiation_guard::active());
    {
        test::initiation_guard outer;
        {
            test::initiation_guard inner;
        }
        BOOST_TEST(test::initiation_guard::active());

        bool elsewhere = true;
        std::thread{[&] { elsewhere = test::initiation_guard::active(); }}.join();
        BOOST_TEST(!elsewhere);
    }
    BOOST_TEST(!test::initiation_guard::active());
}

BOOST_AUTO_TEST_SUITE_END()
