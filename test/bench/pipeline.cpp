// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/programs.hpp"
#include "bench/scenarios.hpp"
#include "bench/transports.hpp"
#include "bench/work.hpp"

#include <boost/asio/post.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

// Three stages with two queues between them, each a coroutine that works a microsecond on
// every item.

namespace sluice::bench {
namespace {

constexpr std::size_t capacity = 64;

std::size_t steps()
{
    static const std::size_t once = steps_in_microsecond();
    return once;
}

std::uint64_t expected(std::size_t items)
{
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < items; ++i)
        sum += work(work(work(i, steps()), steps()), steps());
    return sum;
}

double work_alone(std::size_t items)
{
    const auto start = bench_clock::now();
    const volatile std::uint64_t kept = expected(items);
    static_cast<void>(kept);
    return since(start);
}

// What two threads can do that have nothing to do with each other.
double work_of_two(std::size_t items)
{
    boost::asio::io_context context(2);
    for (int half = 0; half < 2; ++half)
        boost::asio::post(context, [items] { work_alone(items / 2); });
    return run(context, 2);
}

template <class Transport>
double three_stages(std::size_t threads, std::size_t items)
{
    using boost::asio::awaitable;
    boost::asio::io_context context(static_cast<int>(threads));
    Transport first(context, capacity);
    Transport second(context, capacity);
    std::uint64_t last = 0;
    const auto read = [&]() -> awaitable<void> {
        for (item value = 0; value < items; ++value)
            co_await first.send(work(value, steps()));
    };
    const auto change = [&]() -> awaitable<void> {
        for (std::size_t left = items; left > 0; --left)
            co_await second.send(work(co_await first.receive(), steps()));
    };
    const auto write = [&]() -> awaitable<void> {
        for (std::size_t left = items; left > 0; --left)
            last = work(co_await second.receive(), steps());
    };
    boost::asio::co_spawn(context, read, rethrow);
    boost::asio::co_spawn(context, change, rethrow);
    boost::asio::co_spawn(context, write, rethrow);
    const double taken = run(context, threads);
    check_last(last, items, steps());
    return taken;
}

template <class Transport>
measurement stages_on(std::size_t threads)
{
    return
        [threads](std::size_t items) { return three_stages<Transport>(threads, items); };
}

constexpr const char* alone = "the work alone";
constexpr const char* alone_on_two = "the work alone, two threads";
constexpr const char* ours_on_one = "sluice, one thread";

}  // namespace

std::vector<scenario> pipeline_on_one_thread()
{
    scenario made{
        .name = "pipeline_1",
        .what = "three stages of 1 us per item, capacity 64, one thread",
        .contestants =
            {{ours, stages_on<sluice_queue>(1)},
             {alone, work_alone},
             {channel_deferred, stages_on<channel_of_deferred>(1)}},
        // 15 % of the work
        .bars = {{"of the speed of the work alone", ours, alone, 1 / 1.15}}
    };
    add_peers(
        made,
        {"stages", {capacity, 1, 1, 1}, steps()},
        {"peer_fiber", "peer_go", "peer_tbb_flow"}
    );
    return {made};
}

std::vector<scenario> pipeline_on_two_threads()
{
    scenario made{
        .name = "pipeline_2",
        .what = "three stages of 1 us per item, capacity 64, two threads",
        .contestants =
            {{ours, stages_on<sluice_queue>(2)},
             {ours_on_one, stages_on<sluice_queue>(1)},
             {alone, work_alone},
             {alone_on_two, work_of_two},
             {channel_deferred, stages_on<channel_of_deferred>(2)}},
        .bars = {{"times as fast as on one thread", ours, ours_on_one, 1.8}}
    };
    add_peers(
        made,
        {"stages", {capacity, 1, 1, 2}, steps()},
        {"peer_fiber", "peer_go", "peer_mutex", "peer_tbb_flow"}
    );
    return {made};
}

}  // namespace sluice::bench
