// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"
#include <sluice/error.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/experimental/channel_error.hpp>
#include <boost/asio/experimental/concurrent_channel.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>
#include <boost/version.hpp>

#include <cstddef>
#include <exception>
#include <vector>

// What docs/comparison.md says about Asio's channels is true of the installed Boost. If a test says
// that it is no longer, the page has to change. What a queue does in the same place is tested where
// its rules are.

namespace channel_conformance {

using namespace sluice::test;
using asio::awaitable;
using asio::use_awaitable;
using sluice::error_code;

using channel = asio::experimental::concurrent_channel<void(error_code, int)>;

template <class Peer>
concept closes_with_cause = requires(Peer& peer, std::exception_ptr cause) {
    peer.close(cause);
};
static_assert(!closes_with_cause<channel>, "the close of a channel takes no cause");

bool try_send(channel& to, int value)
{
    return to.try_send(error_code(), value);
}

// What a consumer gets that takes all there is.
std::vector<int> drain(channel& from)
{
    std::vector<int> values;
    const auto keep = [&](const error_code& error, int value) {
        if (!error)
            values.push_back(value);
    };
    while (from.ready() && from.try_receive(keep)) {}
    return values;
}

// Why: what a race loses depends on the handler between which the value comes. So the race
// is run again for each of them, which needs no luck.
constexpr std::size_t most_handlers = 20;

// How many of most_handlers values are neither received nor left.
std::size_t lost_in_races_with_a_timer()
{
    using namespace asio::experimental::awaitable_operators;
    std::size_t lost = 0;
    for (std::size_t handlers = 0; handlers < most_handlers; ++handlers) {
        io_fixture io;
        channel values(io.ctx, 1);
        asio::steady_timer timer(io.ctx, asio::steady_timer::time_point::min());
        const auto race = io.spawn([&]() -> awaitable<std::size_t> {
            const auto winner = co_await (
                timer.async_wait(use_awaitable) || values.async_receive(use_awaitable)
            );
            co_return winner.index();
        });
        for (std::size_t i = 0; i < handlers; ++i)
            io.ctx.poll_one();
        std::size_t sent = 0;
        asio::post(io.ctx, [&] { sent = std::size_t{try_send(values, 1)}; });
        const std::size_t received = io.run_until_done(race);
        io.run();
        lost += sent - received - drain(values).size();
    }
    return lost;
}

}  // namespace channel_conformance

BOOST_FIXTURE_TEST_SUITE(channel_conformance, io_fixture)

BOOST_AUTO_TEST_CASE(value_that_comes_when_a_race_is_lost_is_lost)
{
    BOOST_TEST(lost_in_races_with_a_timer() > 0U);
}

// A handler gets such a value all the same, as if it had not been cancelled. It is lost where no
// code looks at the result of what was cancelled.
BOOST_AUTO_TEST_CASE(value_that_is_on_its_way_is_not_taken_back)
{
    channel values(ctx, 1);
    const auto receive = values.async_receive(record.cancellable());
    BOOST_TEST(try_send(values, 1));
    receive.cancel();
    run();
    receive.check_done();
    BOOST_TEST(!receive.error());
    BOOST_TEST(drain(values).empty());
}

BOOST_AUTO_TEST_CASE(close_leaves_what_is_stored_but_not_in_boost_1_81)
{
    channel values(ctx, 2);
    BOOST_TEST(try_send(values, 1));
    values.close();
    const auto receive = values.async_receive(record.cancellable());
    run();
    receive.check_done();
    BOOST_TEST(receive.error().failed() == (BOOST_VERSION == 108100));
}

BOOST_AUTO_TEST_CASE(close_ends_the_wait_of_consumers_and_not_that_of_producers)
{
    channel empty(ctx, 1);
    const auto receive = empty.async_receive(record.cancellable());
    empty.close();
    channel full(ctx, 1);
    BOOST_TEST(try_send(full, 1));
    const auto send = full.async_send(error_code(), 2, record);
    full.close();
    run();
    receive.check_error(asio::experimental::error::channel_closed);
    BOOST_TEST(!send.done());
    full.cancel();
    run();
}

BOOST_AUTO_TEST_CASE(try_send_n_repeats_one_message)
{
    channel values(ctx, 3);
    BOOST_TEST(values.try_send_n(3, error_code(), 7) == 3U);
    BOOST_TEST(drain(values) == (std::vector{7, 7, 7}));
}

BOOST_AUTO_TEST_CASE(ready_receive_goes_through_the_executor)
{
    channel values(ctx, 1);
    BOOST_TEST(try_send(values, 1));
    bool received = false;
    const auto receiver = spawn([&]() -> awaitable<void> {
        (void)co_await values.async_receive(use_awaitable);
        received = true;
    });
    ctx.poll_one();
    BOOST_TEST(!received);
    run_until_done(receiver);
}

BOOST_AUTO_TEST_SUITE_END()
