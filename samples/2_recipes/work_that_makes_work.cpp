// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows work that makes work: four workers walk a tree whose size they do not know. Each job holds
// a feeder of the queue, so the queue is closed when the last job is finished.
// Expect: "100 nodes".

#include "../co_main.hpp"

#include <atomic>
#include <iostream>
#include <utility>

//[work_that_makes_work
struct job
{
    int node;
    sluice::feeder keeps_open;  // the queue closes when the last job is destroyed
};

using job_queue = sluice::fifo_queue<job>;

asio::awaitable<void> work(job_queue& jobs, std::atomic<int>& nodes)
{
    while (const auto current = co_await jobs.next()) {
        ++nodes;
        for (const int child : {2 * current->node, 2 * current->node + 1}) {
            job next{child, current->keeps_open};
            // Never waits: if all workers waited for room, no worker would make it.
            if (child <= 100 && !jobs.try_enqueue(std::move(next)))
                co_return;  // a stop has closed the queue
        }
    }
}

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    job_queue jobs{pool, {.capacity = sluice::unbounded, .name = "jobs"}};
    std::atomic<int> nodes = 0;
    (void)jobs.try_enqueue({1, sluice::feeder{jobs}});  // the root of the tree
    co_await sluice::with_tasks(pool, [&](auto& tasks) {
        tasks.close_on_stop(jobs);
        for (int i = 0; i < 4; ++i)
            tasks.spawn("worker", work(jobs, nodes));
    });  // until all work is finished
    std::cout << nodes << " nodes\n";
}
//]
