// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/scenarios.hpp"

#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/concurrent_channel.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <latch>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sluice::bench {
namespace {

namespace asio = boost::asio;
using clock = std::chrono::steady_clock;
using asio::awaitable;

// What is carried. The sum of all is checked, so that nobody gets away with doing nothing.
using item = std::size_t;

class sluice_queue
{
public:
    sluice_queue(asio::io_context& context, std::size_t capacity)
        : queue_(context, {.capacity = capacity})
    {
    }

    // Refers to the value, which stays in the frame of the sender.
    auto send(const item& value) { return queue_.enqueue(value); }
    auto receive() { return queue_.dequeue(); }

private:
    fifo_queue<item> queue_;
};

template <class Token>
class asio_channel
{
public:
    asio_channel(asio::io_context& context, std::size_t capacity)
        : channel_(context, capacity)
    {
    }

    auto send(const item& value)
    {
        return channel_.async_send(boost::system::error_code(), value, Token());
    }
    auto receive() { return channel_.async_receive(Token()); }

private:
    asio::experimental::concurrent_channel<void(boost::system::error_code, item)>
        channel_;
};

struct shape
{
    std::size_t capacity;
    std::size_t producers;
    std::size_t consumers;
    std::size_t threads;
};

void rethrow(const std::exception_ptr& error)
{
    if (error)
        std::rethrow_exception(error);
}

// Runs what was spawned on the context, on so many threads, from a common start.
std::chrono::nanoseconds run(asio::io_context& context, std::size_t threads)
{
    std::latch ready(static_cast<std::ptrdiff_t>(threads));
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i)
        others.emplace_back([&] {
            ready.arrive_and_wait();
            context.run();
        });
    const auto start = clock::now();  // the others may be done before we are scheduled again
    ready.arrive_and_wait();
    context.run();
    others.clear();
    return clock::now() - start;
}

void check(item sum, std::size_t items)
{
    if (sum != items * (items - 1) / 2)
        throw std::runtime_error("a benchmark has lost items");
}

// One coroutine sends and receives in turn.
template <class Transport>
std::chrono::nanoseconds in_turn(std::size_t items)
{
    asio::io_context context(1);
    Transport transport(context, 64);
    item sum = 0;
    const auto body = [&]() -> awaitable<void> {
        for (item value = 0; value < items; ++value) {
            co_await transport.send(value);
            sum += co_await transport.receive();
        }
    };
    asio::co_spawn(context, body, rethrow);
    const auto taken = run(context, 1);
    check(sum, items);
    return taken;
}

// Producers and consumers, each a coroutine.
template <class Transport>
std::chrono::nanoseconds pass(const shape& form, std::size_t items)
{
    items -= items % (form.producers * form.consumers);
    asio::io_context context(static_cast<int>(form.threads));
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
        asio::co_spawn(context, produce(i * share, (i + 1) * share), rethrow);
    for (item& sum : sums)
        asio::co_spawn(context, consume(sum, items / form.consumers), rethrow);
    const auto taken = run(context, form.threads);
    item total = 0;
    for (const item sum : sums)
        total += sum;
    check(total, items);
    return taken;
}

template <class Transport>
measurement passing(const shape& form)
{
    return [form](std::size_t items) { return pass<Transport>(form, items); };
}

scenario make(std::string name, std::string what, const shape& form)
{
    return {
        std::move(name),
        std::move(what),
        {{ours, passing<sluice_queue>(form)},
         {channel_awaitable, passing<asio_channel<asio::use_awaitable_t<>>>(form)},
         {channel_deferred, passing<asio_channel<asio::deferred_t>>(form)}}
    };
}

}  // namespace

std::vector<scenario> all_scenarios()
{
    return {
        {"in_turn",
         "one coroutine enqueues and dequeues in turn, one thread",
         {{ours, in_turn<sluice_queue>},
          {channel_awaitable, in_turn<asio_channel<asio::use_awaitable_t<>>>},
          {channel_deferred, in_turn<asio_channel<asio::deferred_t>>}}},
        make(
            "1x1_64_1",
            "1 producer, 1 consumer, capacity 64, one thread",
            {64, 1, 1, 1}
        ),
        make("1x1_1_1", "1 producer, 1 consumer, capacity 1, one thread", {1, 1, 1, 1}),
        make(
            "1x1_64_2",
            "1 producer, 1 consumer, capacity 64, two threads",
            {64, 1, 1, 2}
        ),
        make("1x1_1_2", "1 producer, 1 consumer, capacity 1, two threads", {1, 1, 1, 2}),
        make(
            "4x4_64_2",
            "4 producers, 4 consumers, capacity 64, two threads",
            {64, 4, 4, 2}
        )
    };
}

}  // namespace sluice::bench
