// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "schedules/manual_time.hpp"
#include "schedules/scenarios.hpp"
#include "schedules/world.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/input/batcher.hpp>
#include <sluice/input/bucketer.hpp>
#include <sluice/input/producer.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace sluice::schedules {

namespace {

using queue = sluice::fifo_queue<element>;

// A task that brings elements, a producer of some kind, and a consumer that gives up its wait now
// and then. Perhaps a stop comes.
class production
{
public:
    explicit production(world& w) : world_(w), book_(w), scope_(w.executor())
    {
        scope_.spawn("feed", [this] { return feed(); });
    }

    void run()
    {
        switch (world_.below(4)) {
        case 0:
            return run_batcher();
        case 1:
            return run_bucketer();
        default:
            return run_producer();
        }
    }

private:
    static constexpr std::size_t length = 5;

    task feed()
    {
        for (std::size_t n = 0; n < length; ++n) {
            element e = book_.make();
            const int number = e.number();
            const auto [error] = co_await in_.enqueue(std::move(e)).as_tuple();
            book_.settle(number, e, !error);
            if (error)
                co_return;
        }
        in_.close();
    }

    void run_producer()
    {
        const std::size_t workers = 1 + world_.below(3);
        producer<element> results(
            world_.executor(),
            in_,
            [](element e) { return e; },
            {.workers = workers,
             .ordered = world_.flip(),
             .capacity = workers + world_.below(2)}
        );
        run(results);
    }

    auto read()
    {
        return [this]() -> asio::awaitable<element> {
            element e = co_await in_.dequeue();
            co_return e;
        };
    }

    void run_batcher()
    {
        const std::size_t workers = 1 + world_.below(2);
        batcher<element> results(
            world_.executor(),
            read(),
            {.batch_size = 1 + world_.below(3),
             .workers = workers,
             .capacity = workers + world_.below(2),
             .allow_smaller_final_batch = true}
        );
        run(results);
    }

    void run_bucketer()
    {
        const std::size_t workers = 1 + world_.below(2);
        bucketer<element> results(
            world_.executor(),
            read(),
            {.length = [](const element& e) { return e.number() % 2; },
             .boundaries = 1,
             .batch_sizes = {1 + world_.below(2), 1 + world_.below(3)},
             .workers = workers,
             .capacity = workers + world_.below(2)}
        );
        run(results);
        for (const auto& rest : results.take_rests()) {
            world_.demand(is_stopped_, "a rest was not given at the end");
            deliver(rest);
        }
        book_.close();
    }

    template <class Producer>
    void run(Producer& results)
    {
        results.start(scope_);
        world_.spawn("consumer", [&] { return consume(results); });
        world_.spawn("join", [this]() -> task { co_await scope_.join(); });
        if (world_.flip())
            world_.spawn("stop", [this]() -> task {
                co_await world_.pause();
                is_stopped_ = true;
                scope_.request_stop();
            });
        world_.run();
        world_.demand(!results.runner()->is_running(), "a worker runs");
        world_.demand(results.queue().stats().places == 0, "a place is kept");
        while (const auto left = results.queue().try_dequeue())
            deliver(*left);
        while (const auto left = in_.try_dequeue())
            deliver(*left);
        if constexpr (!requires { results.take_rests(); })
            book_.close();
    }

    template <class Producer>
    task consume(Producer& results)
    {
        for (;;) {
            const ticks limit = world_.flip() ? ticks(1) : ticks::max();
            auto [error, next] = co_await results.next().within(limit).as_tuple();
            if (next)
                deliver(*next);
            else if (error != errc::timed_out)
                co_return;
        }
    }

    void deliver(const element& e) { book_.deliver(e); }

    void deliver(const std::vector<element>& batch)
    {
        world_.demand(!batch.empty(), "an empty batch");
        for (const element& e : batch)
            deliver(e);
    }

    void deliver(const bucketed_batch<element>& batch)
    {
        for (const element& e : batch.batch)
            world_.demand(
                static_cast<std::size_t>(e.number() % 2) == batch.bucket,
                "an element in a bucket that is not its own"
            );
        deliver(batch.batch);
    }

    world& world_;
    ledger book_;
    queue in_{world_.executor(), {.capacity = world_.below(3), .name = "in"}};
    bool is_stopped_ = false;
    coordinator scope_;
};

}  // namespace

std::string run_producing(schedule& order)
{
    world w(order);
    production(w).run();
    return w.problem();
}

}  // namespace sluice::schedules
