// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "bench/workload.hpp"
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/concurrent_channel.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cstddef>
#include <vector>

namespace sluice::bench {

/// What carries items: sending and receiving are awaited by the same coroutines for all.
class sluice_queue
{
public:
    sluice_queue(boost::asio::io_context& context, std::size_t capacity)
        : queue_(context, {.capacity = capacity})
    {
    }

    // Refers to the value, which stays in the frame of the sender. An operation that refers to
    // its argument is returned as a constant.
    decltype(auto) send(const item& value) { return queue_.enqueue(value); }
    decltype(auto) receive() { return queue_.dequeue(); }

private:
    fifo_queue<item> queue_;
};

template <class Token>
class asio_channel
{
public:
    asio_channel(boost::asio::io_context& context, std::size_t capacity)
        : channel_(context, capacity)
    {
    }

    auto send(const item& value)
    {
        return channel_.async_send(boost::system::error_code(), value, Token());
    }
    auto receive() { return channel_.async_receive(Token()); }

private:
    boost::asio::experimental::concurrent_channel<void(boost::system::error_code, item)>
        channel_;
};

using channel_of_awaitables = asio_channel<boost::asio::use_awaitable_t<>>;
using channel_of_deferred = asio_channel<boost::asio::deferred_t>;

/// One coroutine sends and receives in turn.
template <class Transport>
double in_turn(std::size_t items)
{
    boost::asio::io_context context(1);
    Transport transport(context, 64);
    item sum = 0;
    const auto body = [&]() -> boost::asio::awaitable<void> {
        for (item value = 0; value < items; ++value) {
            co_await transport.send(value);
            sum += co_await transport.receive();
        }
    };
    boost::asio::co_spawn(context, body, rethrow);
    const double taken = run(context, 1);
    check(sum, items);
    return taken;
}

/// Producers and consumers, each a coroutine. `items` is a multiple of both numbers.
template <class Transport>
double pass(const shape& form, std::size_t items)
{
    using boost::asio::awaitable;
    boost::asio::io_context context(static_cast<int>(form.threads));
    Transport transport(context, form.capacity);
    std::vector<item> sums(form.consumers);
    const auto produce = [&](item first, item last) -> awaitable<void> {
        for (item value = first; value < last; ++value)
            co_await transport.send(value);
    };
    const auto consume = [&](item& sum, std::size_t count) -> awaitable<void> {
        item own = 0;  // not next to that of another thread
        for (; count > 0; --count)
            own += co_await transport.receive();
        sum = own;
    };
    const std::size_t share = items / form.producers;
    for (std::size_t i = 0; i < form.producers; ++i)
        boost::asio::co_spawn(context, produce(i * share, (i + 1) * share), rethrow);
    for (item& sum : sums)
        boost::asio::co_spawn(context, consume(sum, items / form.consumers), rethrow);
    const double taken = run(context, form.threads);
    item total = 0;
    for (const item sum : sums)
        total += sum;
    check(total, items);
    return taken;
}

}  // namespace sluice::bench
