// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows batches of rows of different lengths: each batch is padded with zeros to its own
// longest row, and knows how long the rows were.
// Expect: two batches, the first three wide, the second five.

#include "../co_main.hpp"

#include <iostream>
#include <vector>

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    //[padded_batches
    sluice::padding_queue<std::vector<int>> sentences{pool, {.capacity = 8}};
    std::vector<std::vector<int>> words{{7}, {3, 1, 4}, {1, 5, 9, 2, 6}, {5, 3}};
    co_await sentences.enqueue_many(words);
    sentences.close();

    while (sentences.size() > 0) {
        const auto batch = co_await sentences.dequeue_many(2);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            for (int word : batch[i])
                std::cout << word << ' ';
            std::cout << "(length " << batch.lengths()[i] << ")\n";
        }
        std::cout << "--\n";
    }
    //]
}
