// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/io_fixture.hpp"
#include "support/native_await.hpp"
#include "support/recording_handler.hpp"
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/experimental/channel_error.hpp>
#include <boost/asio/experimental/concurrent_channel.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>
#include <boost/version.hpp>

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

// What docs/comparison.md says about Asio's channels, and of a queue in the same place: each
// scenario runs against both, handler by handler. What is said of the channels is true of
// the installed Boost; if a test says that it is no longer, the page has to change.

namespace channel_conformance {

using namespace sluice;
using namespace sluice::test;
namespace experimental = asio::experimental;
using asio::awaitable;
using asio::use_awaitable;

using channel_type = experimental::concurrent_channel<void(error_code, int)>;

template <class Peer>
concept closes_with_cause = requires(Peer& peer, std::exception_ptr cause) {
    peer.close(cause);
};
static_assert(closes_with_cause<fifo_queue<int>>);

void check_claim(bool holds, const std::string& claim)
{
    BOOST_CHECK_MESSAGE(holds, "the README's claim is no longer true: " << claim);
}

// Why: a scenario is written once and runs against the channel and against the queue.
class channel_peer
{
public:
    channel_peer(asio::io_context& context, std::size_t capacity)
        : channel_(context, capacity)
    {
    }

    bool try_send(int value) { return channel_.try_send(error_code(), value); }
    auto send(int value) { return channel_.async_send(error_code(), value, record); }
    auto receive() { return channel_.async_receive(record.cancellable()); }
    awaitable<int> receive_in_coroutine()
    {
        return channel_.async_receive(use_awaitable);
    }
    void close() { channel_.close(); }

    // What a consumer gets that takes all there is.
    std::vector<int> drain()
    {
        std::vector<int> values;
        const auto keep = [&](const error_code& error, int value) {
            if (!error)
                values.push_back(value);
        };
        while (channel_.ready() && channel_.try_receive(keep)) {}
        return values;
    }

    channel_type& operator*() { return channel_; }

private:
    channel_type channel_;
};

class queue_peer
{
public:
    queue_peer(asio::io_context& context, std::size_t capacity)
        : queue_(context, {.capacity = capacity})
    {
    }

    bool try_send(int value) { return queue_.try_enqueue(int(value)); }
    auto send(int value) { return queue_.async_enqueue(value, record); }
    auto receive() { return queue_.async_dequeue(record.cancellable()); }
    auto receive_in_coroutine() { return queue_.async_dequeue(use_awaitable); }
    void close() { queue_.close(); }

    std::vector<int> drain() { return queue_.try_dequeue_many(100); }

    fifo_queue<int>& operator*() { return queue_; }

private:
    fifo_queue<int> queue_;
};

// Why: what a race loses depends on the handler between which the value comes. So the race
// is run again for each of them, which needs no luck.
constexpr std::size_t most_handlers = 20;

// How many of most_handlers values are neither received nor left.
template <class Peer>
std::size_t lost_in_races_with_a_timer()
{
    using namespace asio::experimental::awaitable_operators;
    std::size_t lost = 0;
    for (std::size_t handlers = 0; handlers < most_handlers; ++handlers) {
        io_fixture io;
        Peer peer(io.ctx, 1);
        asio::steady_timer timer(io.ctx, asio::steady_timer::time_point::min());
        const auto race = io.spawn([&]() -> awaitable<std::size_t> {
            const auto winner = co_await (
                timer.async_wait(use_awaitable) || peer.receive_in_coroutine()
            );
            co_return winner.index();
        });
        for (std::size_t i = 0; i < handlers; ++i)
            io.ctx.poll_one();
        std::size_t sent = 0;
        asio::post(io.ctx, [&] { sent = std::size_t{peer.try_send(1)}; });
        const std::size_t received = io.run_until_done(race);
        io.run();
        lost += sent - received - peer.drain().size();
    }
    return lost;
}

// The same for two receives on either side of `||`, both of which get a value.
template <class Peer>
std::size_t lost_between_two_receives()
{
    using namespace asio::experimental::awaitable_operators;
    std::size_t lost = 0;
    for (std::size_t handlers = 0; handlers < most_handlers; ++handlers) {
        io_fixture io;
        Peer left(io.ctx, 1);
        Peer right(io.ctx, 1);
        const auto race = io.spawn([&]() -> awaitable<void> {
            (void)co_await (left.receive_in_coroutine() || right.receive_in_coroutine());
        });
        for (std::size_t i = 0; i < handlers; ++i)
            io.ctx.poll_one();
        const std::size_t sent = std::size_t{left.try_send(1)} +
                                 std::size_t{right.try_send(2)};
        io.run_until_done(race);
        lost += sent - 1 - left.drain().size() - right.drain().size();
    }
    return lost;
}

// Whether a coroutine that receives what is there already goes on in the same handler.
template <class Receive>
bool goes_on_at_once(io_fixture& io, Receive receive)
{
    bool received = false;
    const auto receiver = io.spawn([&]() -> awaitable<void> {
        (void)co_await receive();
        received = true;
    });
    io.ctx.poll_one();
    const bool at_once = received;
    io.run_until_done(receiver);
    return at_once;
}

}  // namespace channel_conformance

BOOST_FIXTURE_TEST_SUITE(channel_conformance, io_fixture)

BOOST_AUTO_TEST_CASE(receive_that_races_with_a_timer_loses_values_of_a_channel_only)
{
    BOOST_TEST(lost_in_races_with_a_timer<queue_peer>() == 0U);
    check_claim(
        lost_in_races_with_a_timer<channel_peer>() > 0,
        "a channel loses a value that comes when a race is lost"
    );
}

BOOST_AUTO_TEST_CASE(receive_that_races_with_a_receive_loses_values_of_a_channel_only)
{
    BOOST_TEST(lost_between_two_receives<queue_peer>() == 0U);
    check_claim(
        lost_between_two_receives<channel_peer>() > 0,
        "of two channels one loses its value in `||`"
    );
}

// A handler gets such a value of a channel all the same, as if it had not been cancelled. It
// is lost where no code looks at the result of what was cancelled.
BOOST_AUTO_TEST_CASE(receive_cancelled_after_the_hand_over_gives_back_to_a_queue_only)
{
    queue_peer queue(ctx, 1);
    const auto from_queue = queue.receive();
    BOOST_TEST(queue.try_send(1));
    from_queue.cancel();
    run();
    from_queue.check_error(asio::error::operation_aborted);
    BOOST_TEST(queue.drain() == std::vector{1});

    channel_peer channel(ctx, 1);
    const auto from_channel = channel.receive();
    BOOST_TEST(channel.try_send(1));
    from_channel.cancel();
    run();
    from_channel.check_done();
    check_claim(
        !from_channel.error() && channel.drain().empty(),
        "a channel does not take back what it has handed over"
    );
}

BOOST_AUTO_TEST_CASE(close_leaves_what_is_stored)
{
    queue_peer queue(ctx, 2);
    BOOST_TEST(queue.try_send(1));
    queue.close();
    const auto from_queue = queue.receive();
    run();
    from_queue.check_success();
    BOOST_TEST(from_queue.value().value() == 1);

    channel_peer channel(ctx, 2);
    BOOST_TEST(channel.try_send(1));
    channel.close();
    const auto from_channel = channel.receive();
    run();
    from_channel.check_done();
    check_claim(
        from_channel.error().failed() == (BOOST_VERSION == 108100),
        "what is stored in a closed channel is drained, but not in Boost 1.81"
    );
}

BOOST_AUTO_TEST_CASE(close_resolves_the_waiting_producers_of_a_queue_only)
{
    queue_peer queue(ctx, 1);
    BOOST_TEST(queue.try_send(1));
    const auto finishes = queue.send(2);
    queue.close();
    BOOST_TEST(queue.drain() == (std::vector{1, 2}));
    run();
    finishes.check_success();

    queue_peer other(ctx, 1);
    BOOST_TEST(other.try_send(1));
    const auto fails = other.send(2);
    (*other).close(close_mode::cancel_pending);
    run();
    fails.check_error(errc::queue_closed);

    channel_peer channel(ctx, 1);
    BOOST_TEST(channel.try_send(1));
    const auto stays = channel.send(2);
    channel.close();
    run();
    check_claim(!stays.done(), "the waiting producers of a closed channel stay");
    (*channel).cancel();
    run();
}

BOOST_AUTO_TEST_CASE(close_resolves_the_waiting_consumers_of_both)
{
    queue_peer queue(ctx, 1);
    const auto of_queue = queue.receive();
    queue.close();
    channel_peer channel(ctx, 1);
    const auto of_channel = channel.receive();
    channel.close();
    run();
    of_queue.check_error(errc::end_of_queue);
    of_channel.check_error(experimental::error::channel_closed);
}

// The reason why a producer has ended: a queue can be closed with it, a channel cannot.
BOOST_AUTO_TEST_CASE(close_with_a_cause_tells_the_consumer)
{
    fifo_queue<int> queue(ctx, {.capacity = sluice::unbounded});
    queue.close(std::make_exception_ptr(std::runtime_error("disk full")));
    const auto consumer = spawn([&]() -> awaitable<int> {
        co_return co_await queue.dequeue();
    });
    run();
    BOOST_CHECK_EXCEPTION(consumer.result(), std::runtime_error, [](const auto& error) {
        return error.what() == std::string("disk full");
    });
    check_claim(
        !closes_with_cause<channel_type>,
        "the close of a channel takes no cause"
    );
}

BOOST_AUTO_TEST_CASE(batches_are_of_different_elements_in_a_queue_only)
{
    queue_peer queue(ctx, 3);
    std::vector<int> rows{1, 2, 3};
    BOOST_TEST((*queue).try_enqueue_many(rows) == 3U);
    const auto batch = (*queue).async_dequeue_many(3, record);
    run();
    batch.check_success();
    BOOST_TEST(batch.value() == rows);

    channel_peer channel(ctx, 3);
    BOOST_TEST((*channel).try_send_n(3, error_code(), 7) == 3U);
    check_claim(
        channel.drain() == (std::vector{7, 7, 7}),
        "try_send_n of a channel repeats one message"
    );
}

BOOST_TEST_DECORATOR(*test::native_await_only("what is ready is posted (P7)"))
BOOST_AUTO_TEST_CASE(ready_receive_goes_through_the_executor_for_a_channel_only)
{
    queue_peer queue(ctx, 1);
    BOOST_TEST(queue.try_send(1));
    BOOST_TEST(goes_on_at_once(*this, [&] { return (*queue).dequeue(); }));

    channel_peer channel(ctx, 1);
    BOOST_TEST(channel.try_send(1));
    check_claim(
        !goes_on_at_once(*this, [&] { return (*channel).async_receive(use_awaitable); }),
        "a ready operation of a channel goes through the executor"
    );
}

BOOST_AUTO_TEST_SUITE_END()
