// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/spawned.hpp"

#include "support/pump.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <stdexcept>

namespace asio = boost::asio;
namespace test = sluice::test;

namespace spawned {

asio::awaitable<void> throw_error()
{
    throw std::runtime_error{"broken"};
    co_return;
}

asio::awaitable<void> wait_for_ever()
{
    asio::steady_timer timer{
        co_await asio::this_coro::executor,
        asio::steady_timer::time_point::max()
    };
    co_await timer.async_wait(asio::use_awaitable);
}

struct spawned_fixture
{
    asio::io_context ctx;

    template <class Work>
    auto spawn(Work work)
    {
        return test::spawn(ctx.get_executor(), std::move(work));
    }
};

}  // namespace spawned

BOOST_FIXTURE_TEST_SUITE(spawned, spawned_fixture)

BOOST_AUTO_TEST_CASE(exception_that_was_not_looked_at_is_a_failure)
{
    test::captured_failures failures;

    spawn(throw_error());
    test::run_dry(ctx);
    BOOST_TEST(failures.count() == 1u);
    BOOST_TEST(failures.mention("broken"));

    BOOST_TEST((spawn(throw_error()), test::run_dry(ctx)) != 0u);
    BOOST_TEST(failures.count() == 2u);
}

BOOST_AUTO_TEST_CASE(coroutine_destroyed_with_its_context_stays_pending)
{
    auto ctx2 = std::make_unique<asio::io_context>();
    auto op = test::spawn(ctx2->get_executor(), wait_for_ever());
    test::run_dry(*ctx2);

    ctx2.reset();

    BOOST_TEST(op.check_pending());
}

BOOST_AUTO_TEST_CASE(checks_fail_when_they_should)
{
    test::captured_failures failures;
    auto op = spawn(throw_error());

    BOOST_TEST(!op.check_done());
    BOOST_TEST(!op.check_error(asio::error::operation_aborted));
    BOOST_CHECK_THROW(op.result(), std::logic_error);
    BOOST_TEST(failures.count() == 3u);

    test::run_dry(ctx);
    BOOST_TEST(!op.check_pending());
    BOOST_TEST(!op.check_error(asio::error::operation_aborted));
    BOOST_TEST(failures.count() == 5u);
    BOOST_TEST(failures.mention("ended with exception \"broken\", not system:"));
}

BOOST_AUTO_TEST_SUITE_END()
