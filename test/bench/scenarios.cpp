// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/scenarios.hpp"

#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/concurrent_channel.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <exception>
#include <latch>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <variant>
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
    // Before they begin: the others may be done before we are scheduled again.
    const auto start = clock::now();
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

// From its second thread on a process needs locked instructions.
measurement among_threads(const measurement& work)
{
    return [work](std::size_t items) {
        std::jthread([] {}).join();
        return work(items);
    };
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

// Each item in a batch, but the time of each.
enum class batch_form : unsigned char
{
    whole,       // dequeue_many
    as_it_comes  // dequeue_some
};

template <batch_form Form>
std::chrono::nanoseconds pass_batches(std::size_t items)
{
    constexpr std::size_t rows_in_batch = 64;
    items -= items % rows_in_batch;
    asio::io_context context(1);
    fifo_queue<item> queue(context, {.capacity = rows_in_batch});
    item sum = 0;
    const auto produce = [&]() -> awaitable<void> {
        std::vector<item> rows(rows_in_batch);
        for (item first = 0; first < items; first += rows_in_batch) {
            std::iota(rows.begin(), rows.end(), first);
            co_await queue.enqueue_many(rows);
        }
    };
    const auto consume = [&]() -> awaitable<void> {
        std::vector<item> rows;
        for (std::size_t left = items; left > 0; left -= rows.size()) {
            if constexpr (Form == batch_form::whole)
                rows = co_await queue.dequeue_many(rows_in_batch);
            else
                rows = co_await queue.dequeue_some(rows_in_batch);
            sum = std::accumulate(rows.begin(), rows.end(), sum);
        }
    };
    asio::co_spawn(context, produce, rethrow);
    asio::co_spawn(context, consume, rethrow);
    const auto taken = run(context, 1);
    check(sum, items);
    return taken;
}

item item_of(item received)
{
    return received;
}

item item_of(const std::variant<item, item>& selected)
{
    return selected.index() == 0 ? std::get<0>(selected) : std::get<1>(selected);
}

item item_of(const std::pair<std::size_t, item>& taken)
{
    return taken.second;
}

// One coroutine puts each item into the next of several queues and takes it, by `receive()`,
// from whichever has it.
template <std::size_t Queues, class Receive>
std::chrono::nanoseconds in_turn_among(std::size_t items, Receive receive)
{
    asio::io_context context(1);
    std::deque<fifo_queue<item>> queues;
    std::array<fifo_queue<item>*, Queues> pointers{};
    for (auto& pointer : pointers)
        pointer = &queues.emplace_back(context, queue_options{.capacity = 64});
    item sum = 0;
    const auto body = [&]() -> awaitable<void> {
        for (item value = 0; value < items; ++value) {
            co_await pointers[value % Queues]->enqueue(value);
            sum += item_of(co_await receive(pointers));
        }
    };
    asio::co_spawn(context, body, rethrow);
    const auto taken = run(context, 1);
    check(sum, items);
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
            "4x4_64_1",
            "4 producers, 4 consumers, capacity 64, one thread",
            {64, 4, 4, 1}
        ),
        {"batches_64_1",
         "batches of 64 from a producer to a consumer, one thread; per element",
         {{ours, pass_batches<batch_form::whole>},
          {"sluice, dequeue_some", pass_batches<batch_form::as_it_comes>},
          {channel_deferred, passing<asio_channel<asio::deferred_t>>({64, 1, 1, 1})}}},
        {"select",
         "one coroutine enqueues into one of several queues in turn and receives, one "
         "thread",
         {{ours,
           [](std::size_t items) {
               return in_turn_among<1>(items, [](auto& queues) {
                   return queues[0]->dequeue();
               });
           }},
          {"sluice, select of 2",
           [](std::size_t items) {
               return in_turn_among<2>(items, [](auto& queues) {
                   return select(queues[0]->dequeue(), queues[1]->dequeue());
               });
           }},
          {"sluice, dequeue_any of 16",
           [](std::size_t items) {
               return in_turn_among<16>(items, [](auto& queues) {
                   return dequeue_any(queues);
               });
           }}}},
        {"in_turn_among_threads",
         "as in_turn, in a process that has had a second thread",
         {{ours, among_threads(in_turn<sluice_queue>)},
          {channel_awaitable,
           among_threads(in_turn<asio_channel<asio::use_awaitable_t<>>>)},
          {channel_deferred, among_threads(in_turn<asio_channel<asio::deferred_t>>)}}},
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
