// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a queue that keeps only the latest values: a producer that must not wait, such as one that
// reads a sensor, drops what its consumer was too slow for. The consumer sees that values are
// missing, and how many.
// Expect: three of ten readings, and that seven were dropped.

#include "../co_main.hpp"

#include <cstdint>
#include <iostream>

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    //[latest_values
    sluice::fifo_queue<int> readings{
        pool,
        {.capacity = 3, .overflow = sluice::overflow::drop_oldest, .name = "readings"}
    };
    for (int reading = 1; reading <= 10; ++reading)
        co_await readings.enqueue(reading);  // never waits
    readings.close();

    std::uint64_t known = 0;
    while (auto reading = co_await readings.next()) {
        if (const auto dropped = readings.dropped(); dropped != known) {
            std::cout << dropped - known << " readings are missing\n";
            known = dropped;
        }
        std::cout << *reading << '\n';
    }
    //]
}
