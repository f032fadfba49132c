// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/stage_context.hpp>

#include "pipeline/stage_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/test/unit_test.hpp>

#include <exception>
#include <latch>
#include <memory>
#include <stdexcept>
#include <thread>

namespace sluice::test {

BOOST_FIXTURE_TEST_SUITE(stage_context, stage_fixture)

BOOST_AUTO_TEST_CASE(blocking_runs_on_another_thread_and_comes_back)
{
    fake_stage_context context(ctx);
    run_until_done([&]() -> asio::awaitable<void> {
        const auto here = std::this_thread::get_id();
        const auto there = co_await context.blocking([] {
            return std::this_thread::get_id();
        });
        BOOST_TEST((there != here));
        BOOST_TEST((std::this_thread::get_id() == here));
    }());
}

BOOST_AUTO_TEST_CASE(blocking_always_uses_the_same_thread)
{
    fake_stage_context context(ctx);
    run_until_done([&]() -> asio::awaitable<void> {
        const auto thread = [] { return std::this_thread::get_id(); };
        const auto first = co_await context.blocking(thread);
        BOOST_TEST((first == co_await context.blocking(thread)));
    }());
}

BOOST_AUTO_TEST_CASE(blocking_gives_results_that_can_only_be_moved)
{
    fake_stage_context context(ctx);
    run_until_done([&]() -> asio::awaitable<void> {
        auto made = co_await context.blocking([] { return std::make_unique<int>(7); });
        BOOST_TEST(*made == 7);
    }());
}

BOOST_AUTO_TEST_CASE(blocking_throws_what_the_function_throws)
{
    fake_stage_context context(ctx);
    const auto fail = [] { throw std::runtime_error("no such disk"); };
    BOOST_CHECK_EXCEPTION(
        run_until_done(context.blocking(fail)),
        std::runtime_error,
        [](const auto& error) { return error.what() == std::string("no such disk"); }
    );
}

BOOST_AUTO_TEST_CASE(blocking_that_is_cancelled_waits_for_the_function)
{
    fake_stage_context context(ctx);
    std::latch begun(1);
    std::latch may_end(1);
    bool ended = false;  // written by the function, read after its end
    asio::cancellation_signal cancel;
    asio::co_spawn(
        ctx,
        context.blocking([&] {
            begun.count_down();
            may_end.wait();
            ended = true;
        }),
        asio::bind_cancellation_slot(
            cancel.slot(),
            [&](std::exception_ptr) { BOOST_TEST(ended); }
        )
    );
    ctx.poll();
    begun.wait();
    cancel.emit(asio::cancellation_type::terminal);
    ctx.poll();
    may_end.count_down();
    ctx.run();
    BOOST_TEST(ended);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
