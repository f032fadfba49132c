// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows what goes wrong and how a program learns of it: the failures of one operation,
// a task whose exception stops all the others and comes out of join(), and a task that
// does not stop in time: first it is reported as overdue, then join() gives up.
// Expect: the message of each situation.
// Explained before: queues (1_first_queue), coordinator (4_coordinator).

#include "../co_main.hpp"

#include <boost/asio.hpp>

#include <chrono>
#include <iostream>
#include <stdexcept>
#include <vector>

using namespace std::chrono_literals;

//[operation_errors
asio::awaitable<void> errors_of_operations(sluice::io_context_pool& pool)
{
    sluice::fifo_queue<int> queue{pool, {.capacity = 1, .name = "jobs"}};

    // An operation without as_tuple() throws, with as_tuple() it returns the code.
    auto [timeout, nothing] = co_await queue.dequeue().within(10ms).as_tuple();
    std::cout << "empty too long: " << (timeout == sluice::errc::timed_out) << '\n';

    queue.close();
    try {
        co_await queue.enqueue(1);
    } catch (const sluice::system_error& error) {
        std::cout << "too late: " << (error.code() == sluice::errc::queue_closed) << '\n';
    }

    // The end of a queue is the ordinary end of the work; next() does not even call it
    // an error. The condition groups all codes that mean an ordinary end.
    auto [end, none] = co_await queue.dequeue().as_tuple();
    std::cout << "clean: " << (end == sluice::condition::clean_stop) << '\n';
}
//]

//[first_error
asio::awaitable<void> parse(sluice::fifo_queue<int>& lines)
{
    for (;;) {
        const int line = co_await lines.dequeue();
        if (line == 7)
            throw std::runtime_error("line 7: a closing bracket is missing");
    }
}

asio::awaitable<void> read(sluice::fifo_queue<int>& lines)
{
    for (int line = 1;; ++line)
        co_await lines.enqueue(line);  // ends when the coordinator stops
}

asio::awaitable<void> error_of_a_task(sluice::io_context_pool& pool)
{
    sluice::fifo_queue<int> lines{pool, {.capacity = 2, .name = "lines"}};
    sluice::coordinator coord{pool};
    coord.spawn("reader", read(lines));
    coord.spawn("parser", parse(lines));
    try {
        co_await coord.join();  // throws the first real error
    } catch (const std::exception& error) {
        std::cout << "join: " << error.what() << '\n';
    }
}
//]

//[straggler
asio::awaitable<void> ignore_the_stop(sluice::fifo_queue<int>& acknowledgements)
{
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    co_await acknowledgements.dequeue();
}

void print_tasks(const std::vector<sluice::task_info>& tasks)
{
    for (const sluice::task_info& task : tasks)
        std::cout << task.name << " waits on " << task.waiting_on << '\n';
}

asio::awaitable<void> straggler(sluice::io_context_pool& pool)
{
    sluice::fifo_queue<int> acknowledgements{
        pool,
        {.capacity = 1, .name = "acknowledgements"}
    };
    // Seconds, in a program that is no example; by default 120 and 10.
    sluice::coordinator coord{
        pool,
        {.stop_grace_period = 200ms, .overdue_after = 20ms, .on_overdue = print_tasks}
    };
    coord.spawn("committer", ignore_the_stop(acknowledgements));
    coord.request_stop();
    try {
        co_await coord.join();
    } catch (const sluice::system_error& error) {
        const bool late = error.code() == sluice::errc::tasks_still_running;
        std::cout << "late: " << late << '\n';
        print_tasks(coord.tasks());
    }
    acknowledgements.close();  // now it can end
    co_await coord.join();
}
//]

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    std::cout << std::boolalpha;
    co_await errors_of_operations(pool);
    co_await error_of_a_task(pool);
    co_await straggler(pool);
}
