// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows how a training run with a bucketer goes on after it was interrupted. With one worker
// and one reader, the batches of an epoch follow from the order of its rows. So the state says
// how many batches of the epoch are done, and the next run reads the epoch again and leaves
// those out. Rows that sat in a bucket at the interruption are neither lost nor repeated.
// Expect: the batches of two runs, the second of which goes on in the middle of an epoch, and
// whether a run without an interruption has the same.

#include "../co_main.hpp"

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

struct state
{
    std::uint64_t epoch = 0;
    std::uint64_t batches = 0;  // that are done of this epoch
};

using history = std::vector<std::string>;  // a line for each batch

const std::vector<std::string> sentences{
    "I am",
    "he is not here",
    "go",
    "we have seen it all",
    "no",
    "come back home",
    "why not",
    "it is late"
};

// A bucket for sentences below ten characters, and one for the others.
const sluice::bucketer_options<std::string> by_length{
    .length = [](const std::string& sentence) { return sentence.size(); },
    .boundaries = {10},
    .batch_sizes = {3, 2}
};

std::string text_of(const state& at, const sluice::bucketed_batch<std::string>& next)
{
    std::string text = std::to_string(at.epoch) + '.' + std::to_string(at.batches) + ':';
    for (const std::string& sentence : next.batch)
        text += " '" + sentence + "'";
    return text;
}

//[resumed_buckets
// Makes at most `steps` batches of an epoch. False: there are more.
asio::awaitable<bool> train_epoch(
    sluice::io_context_pool& pool,
    state& now,
    std::size_t& steps,
    history& done
)
{
    // Only this epoch, from its beginning.
    sluice::input_producer<std::string> rows{
        pool,
        sentences,
        {.num_epochs = now.epoch + 1,
         .shuffle = true,
         .seed = 7,
         .start_at = sluice::input_position{.epoch = now.epoch, .seed = 7}}
    };
    const auto read = [&]() -> asio::awaitable<std::string> {
        std::string next = co_await rows.queue().dequeue();
        co_return next;
    };
    sluice::bucketer<std::string> buckets{pool, read, by_length};
    const auto body = [&](auto& tasks) -> asio::awaitable<bool> {
        buckets.start(tasks);
        rows.start(tasks);
        std::uint64_t number = 0;
        while (const auto next = co_await buckets.next()) {
            if (number++ < now.batches)
                continue;  // done before the interruption
            if (steps == 0) {
                tasks.request_stop();
                co_return false;
            }
            done.push_back(text_of(now, *next));
            ++now.batches;  // and save the state, together with what was learned
            --steps;
        }
        now = {now.epoch + 1, 0};
        co_return true;
    };
    co_return co_await sluice::with_tasks(pool, body);
}
//]

asio::awaitable<history> train(
    sluice::io_context_pool& pool,
    state& now,
    std::size_t steps = std::numeric_limits<std::size_t>::max()
)
{
    history done;
    while (now.epoch < 2)
        if (!co_await train_epoch(pool, now, steps, done))
            break;
    co_return done;
}

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    state now;
    history done = co_await train(pool, now, 5);
    std::cout << "interrupted after batch " << done.back() << '\n';
    const history rest = co_await train(pool, now);
    for (const std::string& batch : rest)
        std::cout << batch << '\n';
    done.insert(done.end(), rest.begin(), rest.end());

    state other;
    const bool is_same = co_await train(pool, other) == done;
    std::cout << "without an interruption: " << (is_same ? "the same" : "others") << '\n';
}
