// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/spawned.hpp"

#include "support/pump.hpp"

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <coroutine>
#include <memory>
#include <stdexcept>

namespace asio = boost::asio;
namespace test = sluice::test;

namespace spawned {

// Movable, without a default constructor: what co_spawn itself cannot return.
struct awkward
{
    explicit awkward(int v) : value{v} {}
    awkward(awkward&&) = default;
    awkward& operator=(awkward&&) = default;

    int value;
};

// The form that the operations of the library have: a member co_await for any coroutine,
// and a call with a completion token, which is what Asio's coroutines ask for.
struct ready_operation
{
    template <asio::completion_token_for<void(int)> Token>
    auto operator()(Token&& token) &&
    {
        const auto start = [](auto handler, int result) {
            const auto executor = asio::get_associated_executor(handler);
            asio::post(executor, [h = std::move(handler), result]() mutable {
                h(result);
            });
        };
        return asio::async_initiate<Token, void(int)>(start, token, value);
    }

    auto operator co_await() &&
    {
        struct awaiter : std::suspend_never
        {
            [[nodiscard]] int await_resume() const noexcept { return value; }

            int value;
        };
        return awaiter{{}, value};
    }

    int value;
};

asio::awaitable<awkward> make(int value)
{
    co_return awkward{value};
}

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

BOOST_AUTO_TEST_CASE(result_needs_no_default_constructor)
{
    auto op = spawn(make(5));
    BOOST_TEST(op.check_pending());

    test::run_dry(ctx);

    BOOST_TEST(op.check_done());
    BOOST_TEST(op.error() == nullptr);
    BOOST_TEST(op.result().value == 5);
}

BOOST_AUTO_TEST_CASE(operation_is_awaited)
{
    auto op = spawn(ready_operation{8});
    auto made = spawn([] { return ready_operation{9}; });

    test::run_dry(ctx);

    BOOST_TEST(op.result() == 8);
    BOOST_TEST(made.result() == 9);
}

BOOST_AUTO_TEST_CASE(callable_lives_as_long_as_its_coroutine)
{
    auto op = spawn([owned = std::make_unique<int>(7)]() -> asio::awaitable<int> {
        co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
        co_return *owned;
    });

    test::run_dry(ctx);

    BOOST_TEST(op.result() == 7);
}

BOOST_AUTO_TEST_CASE(exception_is_rethrown_by_result)
{
    auto op = spawn(throw_error());
    test::run_dry(ctx);

    BOOST_CHECK_THROW(op.result(), std::runtime_error);
}

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

BOOST_AUTO_TEST_CASE(exception_that_was_looked_at_is_none)
{
    test::captured_failures failures;
    {
        auto op = spawn(throw_error());
        test::run_dry(ctx);
        BOOST_TEST(op.error() != nullptr);
    }
    BOOST_TEST(failures.count() == 0u);
}

BOOST_AUTO_TEST_CASE(cancel_reaches_what_the_coroutine_awaits)
{
    auto op = spawn(wait_for_ever());
    test::run_dry(ctx);
    BOOST_TEST(op.check_pending());

    op.cancel();
    test::run_dry(ctx);

    BOOST_TEST(op.check_error(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(cancel_before_the_start_is_an_error_too)
{
    auto op = spawn(wait_for_ever());

    op.cancel();
    test::run_dry(ctx);

    BOOST_TEST(op.check_error(asio::error::operation_aborted));
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
