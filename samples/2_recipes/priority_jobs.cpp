// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a queue that hands out the smallest element first, equal ones in the order in
// which they came.
// Expect: the jobs by priority, and the two of priority 2 in their order.

#include "../co_main.hpp"

#include <iostream>
#include <string>
#include <vector>

//[priority_jobs
struct job
{
    int priority;
    std::string title;
};

struct by_priority
{
    bool operator()(const job& a, const job& b) const { return a.priority < b.priority; }
};

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    sluice::priority_queue<job, by_priority> jobs{pool, {.capacity = 8, .name = "jobs"}};
    std::vector<job> todo{
        {3, "water the plants"},
        {2, "answer the mail"},
        {1, "put out the fire"},
        {2, "call the roofer"}
    };
    co_await jobs.enqueue_many(todo);
    jobs.close();

    while (auto next = co_await jobs.next())
        std::cout << next->priority << ' ' << next->title << '\n';
}
//]
