// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/scenarios.hpp"
#include "bench/transports.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include <chrono>
#include <cstddef>
#include <variant>
#include <vector>

// Operations with a deadline that is never reached.

namespace sluice::bench {
namespace {

constexpr std::chrono::hours far_away{1};

class queue_within
{
public:
    queue_within(boost::asio::io_context& context, std::size_t capacity)
        : queue_(context, {.capacity = capacity})
    {
    }

    decltype(auto) send(const item& value)
    {
        return queue_.enqueue(value).within(far_away);
    }
    decltype(auto) receive() { return queue_.dequeue().within(far_away); }

private:
    fifo_queue<item> queue_;
};

// Without a deadline, on a context that has a timer, as that of a service. Once it has one, an
// io_context asks the system for events in each turn of its loop, used or not.
class queue_beside_timer
{
public:
    queue_beside_timer(boost::asio::io_context& context, std::size_t capacity)
        : timer_(context), queue_(context, {.capacity = capacity})
    {
    }

    decltype(auto) send(const item& value) { return queue_.enqueue(value); }
    decltype(auto) receive() { return queue_.dequeue(); }

private:
    boost::asio::steady_timer timer_;
    fifo_queue<item> queue_;
};

// The way that Asio's documentation shows.
class channel_or_timer
{
public:
    channel_or_timer(boost::asio::io_context& context, std::size_t capacity)
        : channel_(context, capacity)
    {
    }

    boost::asio::awaitable<void> send(const item& value)
    {
        using namespace boost::asio::experimental::awaitable_operators;
        boost::asio::steady_timer timer(
            co_await boost::asio::this_coro::executor,
            far_away
        );
        co_await (channel_.send(value) || timer.async_wait(boost::asio::use_awaitable));
    }

    boost::asio::awaitable<item> receive()
    {
        using namespace boost::asio::experimental::awaitable_operators;
        boost::asio::steady_timer timer(
            co_await boost::asio::this_coro::executor,
            far_away
        );
        const auto result = co_await (
            channel_.receive() || timer.async_wait(boost::asio::use_awaitable)
        );
        co_return std::get<0>(result);
    }

private:
    channel_of_awaitables channel_;
};

constexpr const char* limited = "sluice, within";
constexpr const char* beside_timer = "sluice, context with a timer";
constexpr const char* with_timer = "channel || timer";
constexpr shape of_capacity_1{1, 1, 1, 1};

template <class Transport>
double pass_waiting(std::size_t items)
{
    return pass<Transport>(of_capacity_1, items);
}

}  // namespace

std::vector<scenario> deadlines()
{
    const std::vector<bar> bars{
        {"times as fast as channel || timer", limited, with_timer, 1}
    };
    return {
        {.name = "within_ready",
         .what = "as in_turn, both operations with a deadline an hour away",
         .contestants =
             {{ours, in_turn<sluice_queue>},
              {limited, in_turn<queue_within>},
              {channel_deferred, in_turn<channel_of_deferred>},
              {with_timer, in_turn<channel_or_timer>}},
         .bars = bars},
        {.name = "within_waiting",
         .what = "as 1x1_1_1, where every element waits, with a deadline an hour away",
         .contestants =
             {{ours, pass_waiting<sluice_queue>},
              {beside_timer, pass_waiting<queue_beside_timer>},
              {limited, pass_waiting<queue_within>},
              {channel_deferred, pass_waiting<channel_of_deferred>},
              {with_timer, pass_waiting<channel_or_timer>}},
         .bars =
             {bars.front(), {"of the time with a deadline", limited, beside_timer, 0.5}}}
    };
}

}  // namespace sluice::bench
