// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows what goes wrong and how a program learns of it: the failures of one operation,
// a task whose exception stops all the others and leaves the scope, and a task that does
// not stop in time: it is reported as overdue, and the scope waits for it.
// Expect: the message of each situation.
// Explained before: queues (1_first_queue), scopes of tasks (3_coordinator).

#include <sluice.hpp>

#include <boost/asio.hpp>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <vector>

namespace asio = boost::asio;
using namespace std::chrono_literals;

//[operation_errors
asio::awaitable<void> errors_of_operations(sluice::io_context_pool& pool)
{
    sluice::fifo_queue<int> queue{pool, {.capacity = 1, .name = "jobs"}};

    // With as_tuple(), an operation returns its error code instead of throwing.
    auto [timeout, nothing] = co_await queue.dequeue().within(10ms).as_tuple();
    std::cout << "timed out: " << (timeout == sluice::errc::timed_out) << '\n';

    queue.close();
    try {
        co_await queue.enqueue(1);
    } catch (const sluice::system_error& error) {
        std::cout << "closed: " << (error.code() == sluice::errc::queue_closed) << '\n';
    }

    // The end of a queue is an expected termination; with next() it is no error at all.
    // The condition groups all codes of an expected termination.
    auto [end, none] = co_await queue.dequeue().as_tuple();
    std::cout << "clean stop: " << (end == sluice::condition::clean_stop) << '\n';
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
        co_await lines.enqueue(line);  // ends when the parser has failed
}

asio::awaitable<void> error_of_a_task(sluice::io_context_pool& pool)
{
    sluice::fifo_queue<int> lines{pool, {.capacity = 2, .name = "lines"}};
    try {
        co_await sluice::with_tasks(pool, [&](auto& tasks) {
            tasks.spawn("reader", read(lines));
            tasks.spawn("parser", parse(lines));
        });  // throws the first error
    } catch (const std::exception& error) {
        std::cout << "first error: " << error.what() << '\n';
    }
}
//]

//[still_running
asio::awaitable<void> ignore_the_stop(sluice::fifo_queue<int>& acks)
{
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    co_await acks.dequeue();
}

asio::awaitable<void> task_that_goes_on(sluice::io_context_pool& pool)
{
    sluice::fifo_queue<int> acks{pool, {.capacity = 1, .name = "acks"}};
    const auto help = [&](const std::vector<sluice::task_info>& overdue) {
        for (const sluice::task_info& task : overdue)
            std::cout << task.name << " waits on " << task.waiting_on << '\n';
        acks.close();  // now it can end
    };
    const sluice::coordinator_options options{.overdue_after = 20ms, .on_overdue = help};
    co_await sluice::with_tasks(pool, options, [&](auto& tasks) {
        tasks.spawn("committer", ignore_the_stop(acks));
        tasks.request_stop();
    });
    std::cout << "the committer has ended\n";
}
//]

int main()
{
    std::cout << std::boolalpha;
    sluice::io_context_pool pool{4};
    try {
        pool.run(errors_of_operations(pool));
        pool.run(error_of_a_task(pool));
        pool.run(task_that_goes_on(pool));
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return EXIT_FAILURE;
    }
}
