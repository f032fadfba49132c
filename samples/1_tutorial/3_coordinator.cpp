// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a coordinator: it supervises named tasks, and one stop request ends them all,
// whatever they are waiting on: a queue, a timer, the coordinator itself.
// Expect: what each of the three tasks waits on, then how they end after the stop.
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

asio::awaitable<void> clean_up(sluice::coordinator& coord)
{
    co_await coord.wait_for_stop();
    std::cout << "the clean-up runs\n";
}
//]

int main()
{
    sluice::io_context_pool pool{1};
    sluice::fifo_queue<std::string> lines{pool, {.capacity = 8, .name = "lines"}};

    pool.run([&]() -> asio::awaitable<void> {
        //[coordinator
        sluice::coordinator coord{pool, {.stop_grace_period = 5s}};
        coord.spawn("reader", read(lines));
        coord.spawn("clock", wait_an_hour());
        coord.spawn("janitor", clean_up(coord));

        co_await sluice::sleep_for(20ms);
        for (const sluice::task_info& task : coord.tasks())
            std::cout << task.name << " waits on [" << task.waiting_on << "]\n";

        coord.request_stop();   // from any thread; all three end now
        co_await coord.join();  // returns when they have ended
        //]
        std::cout << coord.tasks().size() << " tasks are left\n";
    });
}
