// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/detail/coordinator_state.hpp>

#include "support/allocation_counter.hpp"
#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"
#include "support/tasks.hpp"
#include <sluice/coordination/detail/coordinator_waiters.hpp>
#include <sluice/detail/awaiting/connection.hpp>
#include <sluice/error.hpp>
#include <sluice/operation.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <csignal>
#include <utility>

namespace asio = boost::asio;
namespace detail = sluice::detail;
namespace test = sluice::test;
using namespace std::chrono_literals;
using sluice::errc;
using test::record;

namespace coordinator_state {

using state_ptr = boost::intrusive_ptr<detail::coordinator_state>;

struct state_fixture : test::io_fixture
{
    ~state_fixture()
    {
        if (state)
            state->shut_down();
    }

    state_ptr make_state()
    {
        const state_ptr made(
            new detail::coordinator_state(ctx.get_executor(), {}, nullptr)
        );
        detail::attach_home(*made, ctx);
        return made;
    }

    auto join()
    {
        using operation =
            sluice::operation<detail::join_tasks_waiter, asio::any_io_executor>;
        return operation({state.get()}, state->get_executor())(record);
    }

    // Instead of the one that there is.
    void renew_state(asio::any_io_executor executor, sluice::coordinator_options options)
    {
        state->shut_down();
        state = new detail::coordinator_state(
            std::move(executor),
            std::move(options),
            nullptr
        );
        detail::attach_home(*state, ctx);
    }

    // Is not interested in the stop.
    asio::awaitable<void> stubborn()
    {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_await release.async_wait(asio::as_tuple(asio::use_awaitable));
    }

    asio::awaitable<void> until_stopped()
    {
        co_await test::until_stopped();
        ++survived;
    }

    int survived = 0;
    asio::steady_timer release{ctx, asio::steady_timer::time_point::max()};
    state_ptr state = make_state();
};

}  // namespace coordinator_state

BOOST_FIXTURE_TEST_SUITE(coordinator_state, state_fixture)

// the stop

BOOST_AUTO_TEST_CASE(cancellation_that_finds_no_memory_on_its_way_is_tried_again)
{
    state->spawn("task", until_stopped());
    run();
    state->request_stop(nullptr);
    test::allocation_budget none(0);

    {
        const test::failing_new region(none);
        ctx.poll_one();
    }
    BOOST_TEST(none.failed());
    BOOST_TEST(state->tasks().size() == 1u);
    run();

    BOOST_TEST(state->tasks().empty());
}

BOOST_AUTO_TEST_CASE(timer_that_finds_no_memory_is_tried_again)
{
    renew_state(ctx.get_executor(), {.stop_grace_period = 0s});
    state->spawn("stubborn", stubborn());
    run();
    state->request_stop(nullptr);
    run();
    const auto op = join();
    test::allocation_budget none(0);

    {
        const test::failing_new region(none);
        ctx.poll_one();
    }
    BOOST_TEST(none.failed());
    run_until([&] { return op.done(); });

    op.check_error(errc::tasks_still_running);
    release.cancel();
    run();
}

// the grace timer

BOOST_AUTO_TEST_CASE(grace_timer_does_not_keep_the_context_busy)
{
    state->spawn("task", until_stopped());
    run();
    const auto op = join();

    state->request_stop(nullptr);
    run();

    op.check_success();
    BOOST_TEST(ctx.stopped());  // out of work
}

// signals

BOOST_AUTO_TEST_CASE(signals_asked_for_after_a_stop_do_not_keep_the_context_busy)
{
    state->request_stop(nullptr);

    state->request_stop_on_signal({SIGUSR1});
    run();

    BOOST_TEST(ctx.stopped());
}

BOOST_AUTO_TEST_CASE(number_that_is_no_signal_is_refused)
{
    BOOST_CHECK_THROW(state->request_stop_on_signal({-1}), sluice::system_error);
    run();
    BOOST_TEST(ctx.stopped());

    state->request_stop_on_signal({SIGUSR1});
    std::raise(SIGUSR1);
    run_until([&] { return state->should_stop(); });
    run();
}

BOOST_AUTO_TEST_SUITE_END()
