// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/scenarios.hpp"
#include "bench/task.hpp"
#include "bench/workload.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>

#include <malloc.h>

#include <cstddef>
#include <exception>
#include <string>
#include <utility>
#include <vector>

// What it costs a coroutine to be a task: beside one that has a strand, too, but no name.

namespace sluice::bench {
namespace {

using boost::asio::awaitable;

const std::string plain = "co_spawn on a strand";
const std::string supervised = "coordinator::spawn";

// Starts coroutines in one of two ways.
class starter
{
public:
    starter(boost::asio::io_context& context, bool supervises)
        : context_(context), tasks_(context), supervises_(supervises)
    {
    }

    void start(awaitable<void> body)
    {
        if (supervises_)
            tasks_.spawn("task", std::move(body));
        else
            boost::asio::co_spawn(
                boost::asio::make_strand(context_),
                std::move(body),
                rethrow
            );
    }

private:
    boost::asio::io_context& context_;
    coordinator tasks_;
    const bool supervises_;
};

awaitable<void> produce(fifo_queue<item>& to, std::size_t items)
{
    for (item n = 0; n < items; ++n)
        co_await to.enqueue(n);
    to.close();
}

awaitable<void> consume(fifo_queue<item>& from, item& sum)
{
    while (const auto taken = co_await from.next())
        sum += *taken;
}

double pass(bool supervises, std::size_t items)
{
    boost::asio::io_context context(1);
    fifo_queue<item> queue(context, {.capacity = 1});
    starter both(context, supervises);
    item sum = 0;
    both.start(produce(queue, items));
    both.start(consume(queue, sum));
    const double taken = run(context, 1);
    check(sum, items);
    return taken;
}

// They wait all at once, as those of connections, and end when the queue is closed. The heap is
// tidied before, or what the last round has freed is sorted in the time of this one.
double end_many(bool supervises, std::size_t items)
{
    (void)::malloc_trim(0);
    boost::asio::io_context context(1);
    fifo_queue<item> queue(context, {.capacity = 1});
    starter all(context, supervises);
    item sum = 0;
    for (std::size_t i = 0; i < items; ++i)
        all.start(consume(queue, sum));
    context.poll();
    queue.close();
    return run(context, 1);
}

std::vector<contestant> both_ways(double (*measured)(bool supervises, std::size_t items))
{
    return {
        {plain, [=](std::size_t items) { return measured(false, items); }},
        {supervised, [=](std::size_t items) { return measured(true, items); }}
    };
}

}  // namespace

std::vector<scenario> supervision()
{
    return {
        {.name = "tasks_1x1_1",
         .what = "1 producer, 1 consumer, capacity 1, each on a strand of its own",
         .contestants = both_ways(pass),
         .bars = {{"of the speed without supervision", supervised, plain, 1 / 1.15}}},
        {.name = "tasks_end",
         .what = "80,000 coroutines that wait on one queue end when it is closed",
         .contestants = both_ways(end_many),
         .bars = {{"of the speed without supervision", supervised, plain, 1 / 1.5}},
         .items = 80'000}
    };
}

}  // namespace sluice::bench
