// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows buckets: rows of similar length come in one batch, so that little of it is padding.
// Expect: two full batches, of short rows and of long ones, and the rest of the short rows.

#include "../co_main.hpp"

#include <iostream>
#include <vector>

using sentence = std::vector<int>;

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    //[buckets
    sluice::fifo_queue<sentence> sentences{pool, {.capacity = 8}};
    auto read = [&]() -> asio::awaitable<sentence> {
        sentence next = co_await sentences.dequeue();  // fails at the end of the queue
        co_return next;
    };
    sluice::padded_bucketer<sentence> buckets{
        pool,
        read,
        {.length = [](const sentence& r) { return r.size(); },
         .boundaries = {4},      // bucket 0 has rows below 4, bucket 1 those from 4 on
         .batch_sizes = {2, 3}}  // short rows two at a time, long ones three
    };
    std::vector<sentence>
        words{{7}, {3, 1, 4, 1, 5}, {9, 2}, {6, 5, 3, 5}, {8}, {9, 7, 9, 3, 2}};

    co_await sluice::with_tasks(pool, [&](auto& tasks) -> asio::awaitable<void> {
        buckets.start(tasks);
        co_await sentences.enqueue_many(words);
        sentences.close();

        // Each is a std::optional<bucketed_batch>, which is empty at the end.
        while (const auto next = co_await buckets.next()) {
            std::cout << "bucket " << next->bucket << ":\n";
            for (const sentence& r : next->batch) {
                for (const int word : r)
                    std::cout << ' ' << word;
                std::cout << '\n';
            }
        }
    });  // throws what the reader has thrown
    //]
}
