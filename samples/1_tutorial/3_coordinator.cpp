// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a scope of named tasks: one stop request ends them all, whatever they are waiting
// on: a queue, a timer, the coordinator itself. The scope ends when they have ended.
// Expect: what the body and the three tasks wait on, then how they end after the stop.
// Explained before: queues (1_first_queue).

#include <sluice.hpp>

#include <boost/asio.hpp>

#include <chrono>
#include <iostream>
#include <string>

namespace asio = boost::asio;
using namespace std::chrono_literals;

//[coordinator_tasks
asio::awaitable<void> read(sluice::fifo_queue<std::string>& lines)
{
    while (auto line = co_await lines.next())
        std::cout << *line << '\n';
}

asio::awaitable<void> wait_an_hour()
{
    asio::steady_timer timer{co_await asio::this_coro::executor, 1h};
    co_await timer.async_wait(asio::use_awaitable);
}

asio::awaitable<void> clean_up(sluice::coordinator& tasks)
{
    co_await tasks.wait_for_stop();
    std::cout << "the clean-up runs\n";
}
//]

int main()
{
    sluice::io_context_pool pool{1};
    sluice::fifo_queue<std::string> lines{pool, {.capacity = 8, .name = "lines"}};

    //[coordinator
    const auto body = [&](auto& tasks) -> asio::awaitable<void> {
        tasks.spawn("reader", read(lines));
        tasks.spawn("clock", wait_an_hour());
        tasks.spawn("janitor", clean_up(tasks));

        co_await sluice::sleep_for(20ms);
        for (const sluice::task_info& task : tasks.tasks())
            std::cout << task.name << " waits on [" << task.waiting_on << "]\n";

        tasks.request_stop();  // from any thread; all three end now
    };
    pool.run(sluice::with_tasks(pool, body));  // returns when they have ended
    //]
    std::cout << "no task is left\n";
}
