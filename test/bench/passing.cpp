// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/programs.hpp"
#include "bench/scenarios.hpp"
#include "bench/transports.hpp"

#include <cstddef>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

// Items one by one, from producers to consumers.

namespace sluice::bench {
namespace {

std::vector<bar> ahead_of_channel(double times)
{
    return {{"times as fast as the channel", ours, channel_deferred, times}};
}

template <class Transport>
contestant passing(std::string name, const shape& form)
{
    return {
        .name = std::move(name),
        .run = [form](std::size_t items) { return pass<Transport>(form, items); },
        .portion = std::lcm(form.producers, form.consumers)
    };
}

scenario make(std::string name, std::string what, const shape& form)
{
    return {
        .name = std::move(name),
        .what = std::move(what),
        .contestants =
            {passing<sluice_queue>(ours, form),
             passing<channel_of_awaitables>(channel_awaitable, form),
             passing<channel_of_deferred>(channel_deferred, form)}
    };
}

scenario alternating(double times)
{
    return {
        .name = "in_turn",
        .what = "one coroutine enqueues and dequeues in turn, one thread",
        .contestants =
            {{ours, in_turn<sluice_queue>},
             {channel_awaitable, in_turn<channel_of_awaitables>},
             {channel_deferred, in_turn<channel_of_deferred>}},
        .bars = ahead_of_channel(times)
    };
}

// Work for one thread, and how many times as fast as the channel it is to be: in a process
// with that thread only, and in one that has had others.
struct one_thread
{
    const char* name;
    const char* what;
    shape form;
    double times;
    double times_among_threads;

    [[nodiscard]] scenario made(double wanted) const
    {
        scenario made = make(name, what, form);
        made.bars = ahead_of_channel(wanted);
        return made;
    }
};

constexpr one_thread in_one_thread[]{
    {"1x1_64_1", "1 producer, 1 consumer, capacity 64, one thread", {64, 1, 1, 1}, 13, 13
    },
    {"1x1_1_1", "1 producer, 1 consumer, capacity 1, one thread", {1, 1, 1, 1}, 4, 4},
    {"4x4_64_1",
     "4 producers, 4 consumers, capacity 64, one thread",
     {64, 4, 4, 1},
     12,
     13},
    {"64x1_64_1",
     "64 producers, 1 consumer, capacity 64, one thread",
     {64, 64, 1, 1},
     1,
     1}
};

// From its second thread on a process needs locked instructions.
scenario among_threads(scenario made)
{
    made.name += "_among_threads";
    made.what += ", in a process that has had a second thread";
    for (contestant& one : made.contestants)
        one.run = [work = std::move(one.run)](std::size_t items) {
            std::jthread([] {}).join();
            return work(items);
        };
    return made;
}

scenario two_threads(std::string name, std::string what, const shape& form, double times)
{
    scenario made = make(std::move(name), std::move(what), form);
    made.bars = ahead_of_channel(times);
    add_peers(
        made,
        {"pass", form},
        {"peer_fiber", "peer_go", "peer_moodycamel", "peer_mutex", "peer_tbb"}
    );
    return made;
}

}  // namespace

std::vector<scenario> passing_on_one_thread()
{
    std::vector<scenario> all{alternating(18)};
    add_peers(
        all.back(),
        {"turn", {64, 1, 1, 1}},
        {"peer_fiber", "peer_go", "peer_moodycamel", "peer_mutex", "peer_tbb"}
    );
    for (const one_thread& work : in_one_thread) {
        all.push_back(work.made(work.times));
        // The others block a thread, and here is one only.
        add_peers(all.back(), {"pass", work.form}, {"peer_fiber", "peer_go"});
    }
    return all;
}

std::vector<scenario> passing_among_threads()
{
    std::vector<scenario> all{among_threads(alternating(16))};
    for (const one_thread& work : in_one_thread)
        all.push_back(among_threads(work.made(work.times_among_threads)));
    return all;
}

std::vector<scenario> passing_on_two_threads()
{
    return {
        two_threads(
            "1x1_64_2",
            "1 producer, 1 consumer, capacity 64, two threads",
            {64, 1, 1, 2},
            11
        ),
        two_threads(
            "1x1_1_2",
            "1 producer, 1 consumer, capacity 1, two threads",
            {1, 1, 1, 2},
            4
        ),
        two_threads(
            "4x4_64_2",
            "4 producers, 4 consumers, capacity 64, two threads",
            {64, 4, 4, 2},
            6
        ),
        two_threads(
            "64x1_64_2",
            "64 producers, 1 consumer, capacity 64, two threads",
            {64, 64, 1, 2},
            1
        )
    };
}

}  // namespace sluice::bench
