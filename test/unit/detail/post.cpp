// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/post.hpp>

#include "support/failing_allocator.hpp"
#include "support/io_fixture.hpp"
#include "support/tracking_executor.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>

namespace asio = boost::asio;
namespace test = sluice::test;

BOOST_FIXTURE_TEST_SUITE(post, test::io_fixture)

BOOST_AUTO_TEST_CASE(never_runs_inside_the_call)
{
    int calls = 0;
    int calls_inside = -1;
    const asio::any_io_executor executors[] = {
        ctx.get_executor(),
        asio::make_strand(ctx),
        test::tracking_executor(ctx.get_executor())
    };
    // from a handler of the same executor, where a dispatch would run at once
    for (const auto& executor : executors) {
        calls = 0;
        asio::post(executor, [&] {
            sluice::detail::post(executor, [&] { ++calls; });
            calls_inside = calls;
        });
        run();
        BOOST_TEST(calls_inside == 0);
        BOOST_TEST(calls == 1);
    }
}

BOOST_AUTO_TEST_CASE(runs_on_the_executor)
{
    const test::tracking_executor own(ctx.get_executor());
    int where = 0;
    sluice::detail::post(own, [&] { where = test::current_executor(); });
    sluice::detail::post(
        asio::any_io_executor(own),
        [&, move_only = std::make_unique<int>(0)] {
            where += *move_only + test::current_executor();
        }
    );
    run();
    BOOST_TEST(where == 2 * own.id());
}

BOOST_AUTO_TEST_CASE(uses_the_allocator_with_an_io_context)
{
    test::allocation_budget budget;
    const test::failing_allocator<void> allocator(budget);
    sluice::detail::post(ctx.get_executor(), [] {}, allocator);
    BOOST_TEST(budget.allocations() == 1U);
    sluice::detail::post(asio::any_io_executor(ctx.get_executor()), [] {}, allocator);
    BOOST_TEST(budget.allocations() == 2U);
    run();
    BOOST_TEST(budget.live() == 0U);
}

BOOST_AUTO_TEST_CASE(executor_may_be_stored_in_what_the_function_destroys)
{
    auto stored = std::make_shared<asio::any_io_executor>(asio::make_strand(ctx));
    bool ran = false;
    const asio::any_io_executor& executor = *stored;
    sluice::detail::post(executor, [kept = std::move(stored), &ran]() mutable {
        kept.reset();
        ran = true;
    });
    run();
    BOOST_TEST(ran);
}

BOOST_AUTO_TEST_SUITE_END()
