// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <boost/fiber/fiber.hpp>

#include "bench/peers/peer.hpp"
#include "bench/work.hpp"

#include <boost/fiber/buffered_channel.hpp>

#include <bit>
#include <functional>
#include <latch>
#include <thread>
#include <vector>

// Fibers and their buffered_channel, whose size is a power of two of which one place stays
// empty; the next one that has room is taken.

namespace sluice::bench {
namespace {

namespace fibers = boost::fibers;
using channel = fibers::buffered_channel<item>;
using job = std::function<void()>;

std::size_t size_for(std::size_t capacity)
{
    return std::bit_ceil(capacity + 1);
}

// Fibers stay with their thread, and the threads take turns in getting one.
double on_fibers(const std::vector<job>& jobs, std::size_t threads)
{
    std::latch ready(static_cast<std::ptrdiff_t>(threads));
    const auto run_share = [&](std::size_t thread) {
        ready.arrive_and_wait();
        std::vector<fibers::fiber> own;
        for (std::size_t i = thread; i < jobs.size(); i += threads)
            own.emplace_back(jobs[i]);
        for (fibers::fiber& one : own)
            one.join();
    };
    std::vector<std::jthread> others;
    for (std::size_t thread = 1; thread < threads; ++thread)
        others.emplace_back(run_share, thread);
    const auto start = bench_clock::now();
    run_share(0);
    others.clear();
    return since(start);
}

double pass(const shape& form, std::size_t items)
{
    channel queue(size_for(form.capacity));
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
                own += queue.value_pop();
            sum = own;
        });
    const double taken = on_fibers(jobs, form.threads);
    item total = 0;
    for (const item sum : sums)
        total += sum;
    check(total, items);
    return taken;
}

double turn(const shape& form, std::size_t items)
{
    channel queue(size_for(form.capacity));
    item sum = 0;
    const double taken = on_fibers(
        {[&] {
            for (item value = 0; value < items; ++value) {
                queue.push(value);
                sum += queue.value_pop();
            }
        }},
        1
    );
    check(sum, items);
    return taken;
}

double stages(const task& what, std::size_t items)
{
    channel first(size_for(what.form.capacity));
    channel second(size_for(what.form.capacity));
    item last = 0;
    const double taken = on_fibers(
        {[&] {
             for (item value = 0; value < items; ++value)
                 first.push(work(value, what.steps));
         },
         [&] {
             for (std::size_t left = items; left > 0; --left)
                 second.push(work(first.value_pop(), what.steps));
         },
         [&] {
             for (std::size_t left = items; left > 0; --left)
                 last = work(second.value_pop(), what.steps);
         }},
        what.form.threads
    );
    check_last(last, items, what.steps);
    return taken;
}

}  // namespace

double perform(const task& what, std::size_t items)
{
    if (what.work == "turn")
        return turn(what.form, items);
    if (what.work == "pass")
        return pass(what.form, items);
    if (what.work == "stages")
        return stages(what, items);
    refuse(what);
}

}  // namespace sluice::bench
