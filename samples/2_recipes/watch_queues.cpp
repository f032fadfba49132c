// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// A monitor of a queue and its tasks: what limits the flow, in words, and the metrics that
// Prometheus reads.

#include <sluice.hpp>
#include <sluice/report.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <iostream>
#include <sstream>
#include <string>

namespace asio = boost::asio;

//[watch
asio::awaitable<void> look(sluice::monitor& watch)
{
    // Until the producer has filled the queue.
    while (watch.snapshot().queues.at(0).stats.waiting_producers == 0)
        co_await asio::post(asio::use_awaitable);

    const auto now = watch.snapshot();
    std::cout << describe_bottleneck(now) << '\n';
    for (const auto& task : now.tasks)
        std::cout << task.name << ": " << to_string(task.doing) << '\n';

    std::istringstream metrics{sluice::report::to_prometheus(now)};
    for (std::string line; std::getline(metrics, line);)
        if (line.starts_with("sluice_queue_size"))
            std::cout << line << '\n';
}

int main()
{
    sluice::io_context_pool pool{1};
    sluice::fifo_queue<int> orders{pool, {.capacity = 2, .name = "orders"}};
    sluice::coordinator tasks{pool};
    sluice::monitor watch{pool, {.name = "shop"}};
    watch.add(orders);
    watch.add(tasks);

    tasks.spawn("customers", [&]() -> asio::awaitable<void> {
        for (int order = 1;; ++order)
            co_await orders.enqueue(order);  // there is no consumer
    });
    pool.run([&]() -> asio::awaitable<void> {
        co_await look(watch);
        tasks.request_stop();
        co_await tasks.join();
    });
}
//]
