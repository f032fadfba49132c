// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows functions that block, on a thread pool of their own. Workers wait for theirs. A caller that
// must not wait after a stop leaves its function behind, which answers through a queue.
// Expect: "14", the sum of three squares, then "stopped, and the function goes on".

#include "../co_main.hpp"

#include <boost/asio.hpp>

#include <atomic>
#include <exception>
#include <functional>
#include <future>
#include <iostream>
#include <memory>

using int_queue = sluice::fifo_queue<int>;

//[leave_behind
asio::awaitable<int> call(asio::thread_pool& blocking, std::function<int()> function)
{
    // Shared, because a stop may end this coroutine while the function runs.
    const auto answer = std::make_shared<int_queue>(
        co_await asio::this_coro::executor,
        sluice::queue_options{.capacity = 1}
    );
    asio::post(blocking, [answer, function] {
        try {
            (void)answer->try_enqueue(function());
        } catch (...) {
            answer->close(std::current_exception());
        }
    });
    co_return co_await answer->dequeue();
}
//]

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    std::promise<int> gate;
    std::atomic<int> sum = 0;
    //[workers
    asio::thread_pool blocking{2};  // its destructor waits for the functions
    int_queue numbers{pool, {.capacity = 8}};
    const auto work = [&]() -> asio::awaitable<void> {
        const auto square = [](int n) { return n * n; };  // as if this took long
        while (const auto n = co_await numbers.next())
            sum += co_await sluice::run_blocking(blocking, [&] { return square(*n); });
    };
    co_await sluice::with_tasks(pool, [&](auto& tasks) -> asio::awaitable<void> {
        tasks.spawn("worker 1", work);
        tasks.spawn("worker 2", work);
        for (const int n : {1, 2, 3})
            co_await numbers.enqueue(n);
        numbers.close();
    });
    //]
    std::cout << sum << '\n';
    co_await sluice::with_tasks(pool, [&](auto& tasks) {
        tasks.spawn("caller", call(blocking, [&] { return gate.get_future().get(); }));
        tasks.request_stop();
    });  // does not wait for the function
    std::cout << "stopped, and the function goes on\n";
    gate.set_value(1);
}
