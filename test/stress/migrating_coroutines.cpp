// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/races.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/input/batcher.hpp>
#include <sluice/input/producer.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/feeder.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/runner/looper.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <vector>

// Loops that await another coroutine each time and resume on any thread of a pool. Clang before 17
// keeps the address of a thread-local variable of Asio from before the loop, if it optimizes. Two
// threads then use one cache of coroutine frames, or one stack of calls. Elements and calls are
// counted; the sanitizers see the memory.

namespace migrating_coroutines {

using namespace sluice;
using namespace std::chrono_literals;
using boost::asio::awaitable;

const std::size_t rounds = stress::scaled(100'000);
constexpr std::size_t threads = 4;

// Puts 1, 2, ... into the queue and closes it.
auto counting_to(std::size_t last, fifo_queue<std::size_t>& queue)
{
    return [last, &queue]() -> awaitable<void> {
        for (std::size_t n = 1; n <= last; ++n)
            co_await queue.enqueue(n);
        queue.close();
    };
}

// What is left of a source when its coordinator is through.
template <class Source, class SizeOf>
std::size_t drained(
    io_context_pool& pool,
    coordinator& tasks,
    Source& source,
    SizeOf size_of
)
{
    std::size_t total = 0;
    pool.run([&]() -> awaitable<void> {
        while (auto next = co_await source.next())
            total += size_of(*next);
        co_await tasks.join();
    });
    return total;
}

std::size_t one(std::size_t)
{
    return 1;
}

std::size_t produced(bool ordered)
{
    io_context_pool pool(threads);
    coordinator tasks(pool);
    fifo_queue<std::size_t> numbers(pool, {.capacity = 8});
    producer<std::size_t> same(
        pool,
        numbers,
        [](std::size_t n) -> awaitable<std::size_t> { co_return n; },
        {.workers = threads, .ordered = ordered, .capacity = 8}
    );
    same.start(tasks);
    tasks.spawn("numbers", counting_to(rounds, numbers));
    return drained(pool, tasks, same, one);
}

}  // namespace migrating_coroutines

BOOST_AUTO_TEST_SUITE(migrating_coroutines)

using namespace migrating_coroutines;

BOOST_AUTO_TEST_CASE(queue_runner_repeats_a_coroutine_on_several_threads)
{
    io_context_pool pool(threads);
    coordinator tasks(pool);
    fifo_queue<std::size_t> numbers(pool, {.capacity = 4});
    fifo_queue<std::size_t> squares(pool, {.capacity = 4});
    queue_runner squarer(
        squares,
        [&]() -> awaitable<void> {
            auto place = co_await squares.reserve();
            const std::size_t n = co_await numbers.dequeue();
            place.fill(n * n);
        },
        threads
    );
    squarer.start(tasks);
    tasks.spawn("numbers", counting_to(rounds, numbers));
    BOOST_TEST(drained(pool, tasks, squares, one) == rounds);
}

BOOST_AUTO_TEST_CASE(loopers_repeat_a_coroutine_on_several_threads)
{
    io_context_pool pool(threads);
    coordinator tasks(pool);
    std::atomic<std::size_t> count{0};
    for (std::size_t each = 0; each < 2 * threads; ++each)
        looper(tasks, 20us, [&]() -> awaitable<void> {
            if (++count == rounds)
                tasks.request_stop();
            co_return;
        });
    pool.run([&]() -> awaitable<void> { co_await tasks.join(); });
    BOOST_TEST(count >= rounds);
}

BOOST_AUTO_TEST_CASE(producer_awaits_its_function_on_several_threads)
{
    BOOST_TEST(produced(false) == rounds);
}

BOOST_AUTO_TEST_CASE(ordered_producer_awaits_its_function_on_several_threads)
{
    BOOST_TEST(produced(true) == rounds);
}

BOOST_AUTO_TEST_CASE(batcher_awaits_its_function_on_several_threads)
{
    io_context_pool pool(threads);
    coordinator tasks(pool);
    fifo_queue<std::size_t> numbers(pool, {.capacity = 8});
    batcher<std::size_t> batches(
        pool,
        [&]() -> awaitable<std::size_t> { co_return co_await numbers.dequeue(); },
        {.batch_size = 10, .workers = threads, .capacity = 64}
    );
    batches.start(tasks);
    tasks.spawn("numbers", counting_to(rounds, numbers));
    const auto size = [](const std::vector<std::size_t>& batch) { return batch.size(); };
    BOOST_TEST(drained(pool, tasks, batches, size) == rounds);
}

BOOST_AUTO_TEST_CASE(task_awaits_a_lambda_in_a_loop_on_several_threads)
{
    io_context_pool pool(threads);
    coordinator tasks(pool);
    fifo_queue<std::size_t> in(pool, {.capacity = 8});
    fifo_queue<std::size_t> out(pool, {.capacity = 8});
    feeder feed(out);
    for (std::size_t worker = 0; worker < threads; ++worker)
        tasks.spawn("worker", [&, feed]() -> awaitable<void> {
            auto move_one = [&]() -> awaitable<bool> {
                auto n = co_await in.next();
                if (n)
                    co_await out.enqueue(*n);
                co_return n.has_value();
            };
            while (co_await move_one()) {}
        });
    feed = feeder();
    tasks.spawn("numbers", counting_to(rounds, in));
    BOOST_TEST(drained(pool, tasks, out, one) == rounds);
}

// Not only frames: what Asio does for a concrete executor is inlined into the coroutine as well.
BOOST_AUTO_TEST_CASE(task_posts_to_the_executor_of_its_context_on_several_threads)
{
    io_context_pool pool(threads);
    coordinator tasks(pool);
    const auto executor = pool.context().get_executor();
    std::atomic<std::size_t> posted{0};
    std::atomic<std::size_t> elsewhere{0};
    for (std::size_t task = 0; task < 2 * threads; ++task)
        tasks.spawn("poster", [&]() -> awaitable<void> {
            for (std::size_t n = 0; n < rounds; ++n) {
                boost::asio::post(executor, [&] { ++posted; });
                boost::asio::dispatch(executor, [&] { ++posted; });
                if (!executor.running_in_this_thread())
                    ++elsewhere;
                co_await boost::asio::post(executor, boost::asio::use_awaitable);
            }
        });
    pool.run([&]() -> awaitable<void> { co_await tasks.join(); });
    pool.join();
    BOOST_TEST(posted == 2 * threads * 2 * rounds);
    BOOST_TEST(elsewhere == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
