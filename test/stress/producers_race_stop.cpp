// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/races.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/input/batcher.hpp>
#include <sluice/input/bucketer.hpp>
#include <sluice/input/producer.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <vector>

// Producers of each kind are at work when a stop comes, and a consumer gives up its wait now and
// then. Each number is in the input, in the output, in a bucket or was received: none is lost,
// none comes twice, and no place is kept.

namespace producers_race_stop {

using namespace sluice;
using namespace sluice::stress;
using boost::asio::awaitable;

using queue = fifo_queue<std::size_t>;

constexpr std::size_t total = 64;

void note(attendance& seen, std::size_t number)
{
    seen.note(number);
}

void note(attendance& seen, const std::vector<std::size_t>& batch)
{
    for (const std::size_t number : batch)
        seen.note(number);
}

void note(attendance& seen, const bucketed_batch<std::size_t>& batch)
{
    for (const std::size_t number : batch.batch) {
        require(number % 3 == batch.bucket, "a number in a bucket that is not its own");
        seen.note(number);
    }
}

template <class Producer>
awaitable<void> consume(Producer& results, attendance& seen, dice chance)
{
    for (;;) {
        const std::chrono::microseconds limit(chance.below(50));
        auto [error, next] = co_await results.next().within(limit).as_tuple();
        if (error == errc::timed_out)
            continue;
        if (error || !next)
            co_return;
        note(seen, *next);
    }
}

template <class Producer>
void race(io_context_pool& pool, queue& in, Producer& results, dice& chance)
{
    attendance seen(total);
    for (std::size_t i = 0; i < total; ++i)
        require(in.try_enqueue(std::size_t{i}), "the queue is full");
    if (chance.once_in(4))
        in.close();
    coordinator scope(pool);
    results.start(scope);
    scope.spawn("consumer", consume(results, seen, dice(chance.roll())));
    dawdle(chance, 20'000);
    scope.request_stop();
    scope.async_join(boost::asio::use_future).get();
    require(!results.runner()->is_running(), "a worker has not ended");
    require(results.queue().stats().places == 0, "a place is lost");
    while (const auto number = in.try_dequeue())
        note(seen, *number);
    while (const auto left = results.queue().try_dequeue())
        note(seen, *left);
    if constexpr (requires { results.take_rests(); })
        for (const auto& rest : results.take_rests())
            note(seen, rest);
    require(seen.missing() == 0, "an element is lost");
}

// `make` makes a producer and has it raced.
template <class Make>
void races(Make make)
{
    io_context_pool pool(2);
    dice chance(1);
    for (std::size_t i = 0; i < scaled(1'500); ++i) {
        queue in(pool, {.capacity = total});
        make(pool, in, chance);
    }
}

void of_producer(io_context_pool& pool, queue& in, dice& chance, bool ordered)
{
    producer<std::size_t> results(
        pool,
        in,
        [](std::size_t number) { return number; },
        {.workers = 3, .ordered = ordered, .capacity = 1 + chance.below(6)}
    );
    race(pool, in, results, chance);
}

auto read_from(queue& in)
{
    return [&in]() -> awaitable<std::size_t> {
        const std::size_t number = co_await in.dequeue();
        co_return number;
    };
}

void of_batcher(io_context_pool& pool, queue& in, dice& chance)
{
    batcher<std::size_t> results(
        pool,
        read_from(in),
        {.batch_size = 1 + chance.below(4),
         .workers = 3,
         .capacity = 3 + chance.below(4),
         .allow_smaller_final_batch = true}
    );
    race(pool, in, results, chance);
}

void of_bucketer(io_context_pool& pool, queue& in, dice& chance)
{
    bucketer<std::size_t> results(
        pool,
        read_from(in),
        {.length = [](std::size_t number) { return number % 3; },
         .boundaries = {1, 2},
         .batch_sizes = {1, 3, 5},
         .workers = 3,
         .capacity = 3 + chance.below(4)}
    );
    race(pool, in, results, chance);
}

}  // namespace producers_race_stop

BOOST_AUTO_TEST_SUITE(producers_race_stop)

BOOST_AUTO_TEST_CASE(stop_of_a_producer_loses_nothing)
{
    BOOST_CHECK_NO_THROW(races([](io_context_pool& pool, queue& in, dice& chance) {
        of_producer(pool, in, chance, false);
    }));
}

BOOST_AUTO_TEST_CASE(stop_of_an_ordered_producer_loses_nothing)
{
    BOOST_CHECK_NO_THROW(races([](io_context_pool& pool, queue& in, dice& chance) {
        of_producer(pool, in, chance, true);
    }));
}

BOOST_AUTO_TEST_CASE(stop_of_a_batcher_loses_nothing)
{
    BOOST_CHECK_NO_THROW(races(of_batcher));
}

BOOST_AUTO_TEST_CASE(stop_of_a_bucketer_loses_nothing)
{
    BOOST_CHECK_NO_THROW(races(of_bucketer));
}

BOOST_AUTO_TEST_SUITE_END()
