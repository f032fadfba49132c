// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/tracking_executor.hpp"

#include "support/io_fixture.hpp"
#include "support/printing.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
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

BOOST_AUTO_TEST_CASE(handler_on_another_executor_is_told_apart)
{
    asio::post(second, note());
    run();
    BOOST_TEST(seen == std::vector{second.id()});

    asio::post(ctx, note());
    run();
    BOOST_TEST(seen.empty());
}

// the wrapper as an executor

BOOST_AUTO_TEST_CASE(strand_of_it_runs_on_it)
{
    asio::post(asio::make_strand(first), note());

    run();

    BOOST_TEST(seen == std::vector{first.id()});
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
