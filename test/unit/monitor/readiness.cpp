// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "monitor/readiness.hpp"

#include "support/io_fixture.hpp"
#include <sluice/coordination/coordinator.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

namespace asio = boost::asio;
using namespace std::chrono_literals;
using detail_readiness = sluice::detail::readiness;

BOOST_FIXTURE_TEST_SUITE(readiness, sluice::test::io_fixture)

BOOST_AUTO_TEST_CASE(no_task_and_one_that_is_not_supervised_are_never_ready)
{
    const auto now = detail_readiness::clock::now();
    for (const auto& none :
         {detail_readiness(), detail_readiness(asio::any_io_executor(ctx.get_executor()))
         }) {
        BOOST_TEST(!none.read(now).is_ready);
        BOOST_TEST((none.read(now).time == 0s));
    }
}

BOOST_AUTO_TEST_CASE(time_of_a_task_counts_from_its_start_and_outlives_it)
{
    detail_readiness seen;
    {
        sluice::coordinator tasks{ctx};
        tasks.spawn("task", [&]() -> asio::awaitable<void> {
            seen = detail_readiness(co_await asio::this_coro::executor);
            co_await asio::post(asio::use_awaitable);
        });
        while (!seen.read(detail_readiness::clock::now()).is_ready)
            ctx.run_one();
        run();
    }
    const auto last = seen.read(detail_readiness::clock::now());
    BOOST_TEST(!last.is_ready);
    BOOST_TEST((last.time > 0s));
    BOOST_TEST((seen.read(detail_readiness::clock::now() + 1s).time == last.time));
}

BOOST_AUTO_TEST_SUITE_END()
