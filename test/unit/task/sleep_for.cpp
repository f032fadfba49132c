// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/task/sleep_for.hpp>

#include "support/io_fixture.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>

namespace sleep_for {

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;

// Sleeps in a coroutine that passes every kind of cancellation on, and cancels it.
template <class Duration>
std::optional<sluice::error_code> code_of_cancelled(
    Duration duration,
    asio::cancellation_type type
)
{
    asio::io_context context;
    asio::cancellation_signal signal;
    std::optional<sluice::error_code> code;
    asio::co_spawn(
        context,
        [&]() -> asio::awaitable<void> {
            co_await asio::this_coro::reset_cancellation_state(
                asio::enable_total_cancellation()
            );
            try {
                co_await sluice::sleep_for(duration);
            } catch (const sluice::system_error& error) {
                code = error.code();
            }
        },
        asio::bind_cancellation_slot(signal.slot(), asio::detached)
    );
    context.poll();
    signal.emit(type);
    context.poll();
    return code;
}

}  // namespace sleep_for

BOOST_FIXTURE_TEST_SUITE(sleep_for, sluice::test::io_fixture)

BOOST_AUTO_TEST_CASE(time_passes)
{
    const auto begin = std::chrono::steady_clock::now();
    run_until_done(sluice::sleep_for(2ms));
    BOOST_TEST((std::chrono::steady_clock::now() - begin >= 2ms));
}

BOOST_AUTO_TEST_CASE(no_time_yields_once)
{
    for (const auto none : {0ms, -1ms}) {
        bool other_ran = false;
        run_until_done([&]() -> asio::awaitable<void> {
            asio::post(ctx, [&] { other_ran = true; });
            co_await sluice::sleep_for(none);
            BOOST_TEST(other_ran);
        });
    }
}

BOOST_AUTO_TEST_CASE(every_kind_of_cancellation_ends_it)
{
    using enum asio::cancellation_type;
    for (const auto type : {terminal, partial, total})
        BOOST_TEST((code_of_cancelled(1h, type) == asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(sleep_beyond_the_clock_ends_with_a_cancellation)
{
    const auto type = asio::cancellation_type::terminal;
    const auto for_ever = std::chrono::hours::max();
    BOOST_TEST((code_of_cancelled(for_ever, type) == asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(stop_ends_it_as_an_expected_termination)
{
    sluice::coordinator coord{ctx};
    coord.spawn("sleeper", sluice::sleep_for(1h));
    run_until_done([&]() -> asio::awaitable<void> {
        coord.request_stop();
        co_await coord.join();
    });
    BOOST_TEST(coord.tasks().empty());
    run();
}

BOOST_AUTO_TEST_CASE(caller_resumes_on_its_own_executor)
{
    const auto strand = asio::make_strand(ctx);
    bool inside = false;
    asio::co_spawn(
        strand,
        [&]() -> asio::awaitable<void> {
            co_await sluice::sleep_for(0ms);
            inside = strand.running_in_this_thread();
        },
        asio::detached
    );
    run();
    BOOST_TEST(inside);
}

BOOST_AUTO_TEST_CASE(context_may_die_while_it_waits)
{
    asio::io_context dies;
    asio::co_spawn(dies, sluice::sleep_for(1h), asio::detached);
    dies.poll();
}

BOOST_AUTO_TEST_SUITE_END()
