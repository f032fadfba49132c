// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "bench/peers/peer.hpp"
#include "bench/work.hpp"

#include <cstddef>
#include <functional>
#include <latch>
#include <thread>
#include <vector>

namespace sluice::bench {

/// Runs the functions, each on a thread, from a common start.
template <class Function>
double on_threads(const std::vector<Function>& functions)
{
    std::latch ready(static_cast<std::ptrdiff_t>(functions.size() + 1));
    std::vector<std::jthread> threads;
    for (const Function& function : functions)
        threads.emplace_back([&ready, &function] {
            ready.arrive_and_wait();
            function();
        });
    const auto start = bench_clock::now();
    ready.arrive_and_wait();
    threads.clear();
    return since(start);
}

/// The tasks with a queue that blocks threads: a producer or consumer is a thread, however
/// many threads the others have. `Queue` has push(item) and pop().
template <class Queue>
double perform_blocking(const task& what, std::size_t items)
{
    using job = std::function<void()>;
    const shape& form = what.form;
    Queue queue(form.capacity);
    if (what.work == "turn") {
        item sum = 0;
        const auto start = bench_clock::now();
        for (item value = 0; value < items; ++value) {
            queue.push(value);
            sum += queue.pop();
        }
        const double taken = since(start);
        check(sum, items);
        return taken;
    }
    if (what.work == "pass") {
        std::vector<job> jobs;
        std::vector<item> sums(form.consumers);
        const std::size_t share = items / form.producers;
        for (std::size_t i = 0; i < form.producers; ++i)
            jobs.emplace_back([&queue, first = i * share, last = (i + 1) * share] {
                for (item value = first; value < last; ++value)
                    queue.push(value);
            });
        for (item& sum : sums)
            jobs.emplace_back([&queue, &sum, count = items / form.consumers] {
                item own = 0;
                for (std::size_t left = count; left > 0; --left)
                    own += queue.pop();
                sum = own;
            });
        const double taken = on_threads(jobs);
        item total = 0;
        for (const item sum : sums)
            total += sum;
        check(total, items);
        return taken;
    }
    if (what.work == "stages") {
        Queue second(form.capacity);
        item last = 0;
        const double taken = on_threads(std::vector<job>{
            [&] {
                for (item value = 0; value < items; ++value)
                    queue.push(work(value, what.steps));
            },
            [&] {
                for (std::size_t left = items; left > 0; --left)
                    second.push(work(queue.pop(), what.steps));
            },
            [&] {
                for (std::size_t left = items; left > 0; --left)
                    last = work(second.pop(), what.steps);
            }
        });
        check_last(last, items, what.steps);
        return taken;
    }
    refuse(what);
}

}  // namespace sluice::bench
