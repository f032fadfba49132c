// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/programs.hpp"
#include "bench/scenarios.hpp"
#include "bench/transports.hpp"

#include <chrono>
#include <cstddef>
#include <numeric>
#include <vector>

// Items in batches. The time is that of an item, not of a batch.

namespace sluice::bench {
namespace {

constexpr std::size_t rows_in_batch = 64;

enum class batch_form : unsigned char
{
    whole,       // dequeue_many
    as_it_comes  // dequeue_some
};

template <batch_form Form>
double pass_batches(std::size_t threads, std::size_t items)
{
    using boost::asio::awaitable;
    boost::asio::io_context context(static_cast<int>(threads));
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
    boost::asio::co_spawn(context, produce, rethrow);
    boost::asio::co_spawn(context, consume, rethrow);
    const double taken = run(context, threads);
    check(sum, items);
    return taken;
}

template <batch_form Form>
contestant in_batches(const char* name)
{
    return {
        .name = name,
        .run = [](std::size_t items) { return pass_batches<Form>(1, items); },
        .portion = rows_in_batch
    };
}

// A coroutine that enqueues a batch and takes it in turn: each batch is full at once.
template <class Take>
double batches_in_turn(std::size_t items, Take take)
{
    using boost::asio::awaitable;
    boost::asio::io_context context(1);
    fifo_queue<item> queue(context, {.capacity = rows_in_batch});
    item sum = 0;
    const auto body = [&]() -> awaitable<void> {
        std::vector<item> rows(rows_in_batch);
        for (item first = 0; first < items; first += rows_in_batch) {
            std::iota(rows.begin(), rows.end(), first);
            co_await queue.enqueue_many(rows);
            rows = co_await take(queue);
            sum = std::accumulate(rows.begin(), rows.end(), sum);
        }
    };
    boost::asio::co_spawn(context, body, rethrow);
    const double taken = run(context, 1);
    check(sum, items);
    return taken;
}

template <class Take>
contestant in_turn(const char* name, Take take)
{
    return {
        .name = name,
        .run = [take](std::size_t items) { return batches_in_turn(items, take); },
        .portion = rows_in_batch
    };
}

constexpr const char* some = "sluice, dequeue_some";

scenario lingering()
{
    constexpr const char* lingers = "sluice, dequeue_up_to and linger";
    const auto take_some = [](fifo_queue<item>& queue) {
        return queue.dequeue_some(rows_in_batch);
    };
    const auto take_and_linger = [](fifo_queue<item>& queue) {
        return queue.dequeue_up_to(rows_in_batch).linger(std::chrono::milliseconds(50));
    };
    return {
        .name = "batches_in_turn_64",
        .what = "batches of 64 that are full at once, one thread; per item",
        .contestants = {in_turn(lingers, take_and_linger), in_turn(some, take_some)},
        .bars = {{"of the speed of dequeue_some", lingers, some, 1 / 1.1}}
    };
}

}  // namespace

std::vector<scenario> batches()
{
    const shape form{rows_in_batch, 1, 1, 1};
    scenario made{
        .name = "batches_64_1",
        .what = "batches of 64 from a producer to a consumer, one thread; per item",
        .contestants =
            {in_batches<batch_form::whole>(ours),
             in_batches<batch_form::as_it_comes>(some),
             {channel_deferred,
              [form](std::size_t items) { return pass<channel_of_deferred>(form, items); }
             }},
        .bars =
            {{"times as fast as the channel", ours, channel_deferred, 60},
             {"dequeue_some, times as fast as the channel", some, channel_deferred, 60}}
    };
    // They have no batches that wait, and pass the same items one by one.
    add_peers(made, {"pass", form}, {"peer_fiber", "peer_go"});
    return {made, lingering()};
}

}  // namespace sluice::bench
