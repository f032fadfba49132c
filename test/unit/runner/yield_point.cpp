// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/runner/detail/yield_point.hpp>

#include "support/io_fixture.hpp"
#include <sluice/detail/awaiting/budget.hpp>

#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

namespace asio = boost::asio;
namespace detail = sluice::detail;
namespace test = sluice::test;

namespace yield_point {

struct yield_fixture : test::io_fixture
{
    yield_fixture() { detail::budget::reset(); }
    ~yield_fixture() { detail::budget::reset(); }

    // As a loop does whose body is always ready.
    asio::awaitable<void> pass(int times)
    {
        for (passed = 0; passed != times; ++passed)
            if (!detail::budget::take())
                co_await detail::yield_point();
    }

    int passed = 0;
};

}  // namespace yield_point

BOOST_FIXTURE_TEST_SUITE(yield_point, yield_fixture)

BOOST_AUTO_TEST_CASE(it_lets_others_run_and_renews_the_budget)
{
    while (detail::budget::take()) {}
    bool others_ran = false;
    const auto body = spawn([&]() -> asio::awaitable<bool> {
        asio::post(ctx, [&] { others_ran = true; });
        co_await detail::yield_point();
        co_return others_ran;
    });

    run();

    BOOST_TEST(body.result());
    BOOST_TEST(detail::budget::take());
}

BOOST_AUTO_TEST_SUITE_END()
