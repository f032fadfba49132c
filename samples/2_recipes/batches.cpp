// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a batcher: two callables read examples, one worker each, and the loop takes batches.
// Expect: three batches of four and a last one of two, 14 examples in all.

#include "../co_main.hpp"

#include <cstddef>
#include <iostream>
#include <optional>
#include <vector>

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    //[batches
    auto read_even = [i = 0]() mutable -> asio::awaitable<int> {
        if (i == 20)
            throw sluice::system_error{sluice::errc::end_of_queue};
        co_return i += 2;
    };
    auto read_prime = [i = 1]() mutable -> asio::awaitable<std::optional<int>> {
        if (++i > 10)
            throw sluice::system_error{sluice::errc::end_of_queue};
        const bool is_prime = i == 2 || i == 3 || i == 5 || i == 7;
        co_return is_prime ? std::optional{i} : std::nullopt;  // nothing: left out
    };

    sluice::batcher<int> batches{
        pool,
        {read_even, read_prime},  // one worker each
        {.batch_size = 4, .allow_smaller_final_batch = true, .name = "numbers"}
    };
    std::size_t examples = 0;
    co_await sluice::with_tasks(pool, [&](auto& tasks) -> asio::awaitable<void> {
        batches.start(tasks);
        // Each is a std::optional<std::vector<int>>, which is empty at the end.
        while (const auto batch = co_await batches.next()) {
            std::cout << "a batch of " << batch->size() << '\n';
            examples += batch->size();
        }
    });  // throws what a reader has thrown
    std::cout << examples << " examples\n";
    //]
}
