// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S55

// S55: an ordered producer that ends at a failure leaves its input as if it had never taken the
// element that failed and those behind it. A producer that goes on there gets each result once
// and in order.

#include "behaviour/queue_cases.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/input/producer.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/feeder.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/task/sync_wait.hpp>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using test::range;

namespace ordered_restart_cases {

using int_queue = sluice::fifo_queue<int>;
using int_producer = sluice::producer<int>;

// What is left of the failures: each number fails as often as it is in here.
class failures
{
public:
    failures(std::initializer_list<int> numbers) : left_(numbers) {}

    int check(int number)
    {
        const auto found = left_.find(number);
        if (found == left_.end())
            return number;
        left_.erase(found);
        throw std::runtime_error(std::to_string(number));
    }

    void add(int number) { left_.insert(number); }

private:
    std::multiset<int> left_;
};

// Is posted now and then, so that workers complete in any order.
asio::awaitable<void> dawdle(int number)
{
    for (int i = 0; i < number * 7 % 5; ++i)
        co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
}

// All that a producer gives; its failures are left to it.
asio::awaitable<void> collect(int_producer& from, std::vector<int>& numbers)
{
    try {
        while (const std::optional<int> next = co_await from.next())
            numbers.push_back(*next);
    } catch (const std::runtime_error&) {
    }
}

struct restarts : test::queue_fixture
{
    int_queue numbers{ctx, {.capacity = 1000, .name = "numbers"}};

    void feed(int count)
    {
        for (int i = 0; i < count; ++i)
            BOOST_TEST_REQUIRE(numbers.try_enqueue(i));
        numbers.close();
    }
};

}  // namespace ordered_restart_cases

BOOST_FIXTURE_TEST_SUITE(ordered_restart_cases, restarts)

// The feeder keeps the queue open, so that the same producer can be started again.
BOOST_AUTO_TEST_CASE(s55_the_same_producer_can_be_started_again)
{
    for (const std::size_t workers : {1U, 3U}) {
        numbers = int_queue(ctx, {.capacity = 100});
        feed(40);
        failures failing{0, 20, 20, 39};
        const auto compute = [&](int number) -> asio::awaitable<int> {
            co_await dawdle(number);
            co_return failing.check(number);
        };
        int_producer producer(
            ctx,
            numbers,
            compute,
            {.workers = workers, .ordered = true, .capacity = 100}
        );
        sluice::feeder open(producer.queue());
        for (int run_number = 0; run_number < 5; ++run_number) {
            BOOST_TEST(producer.start(ctx));
            run();
            BOOST_TEST(!producer.runner()->is_running());
            BOOST_TEST(
                producer.runner()->exceptions_raised().size() ==
                (run_number < 4 ? 1U : 0U)
            );
        }
        open.end();
        std::vector<int> results;
        run_until_done(collect(producer, results));
        BOOST_TEST(results == range(0, 39));
    }
}

BOOST_AUTO_TEST_CASE(s55_the_input_has_what_was_not_delivered_in_front_and_in_order)
{
    for (int i = 0; i < 9; ++i)
        BOOST_TEST_REQUIRE(numbers.try_enqueue(i));
    failures failing{2};
    const auto compute = [&](int number) { return failing.check(number); };
    int_producer
        producer(ctx, numbers, compute, {.workers = 3, .ordered = true, .capacity = 9});
    producer.start(ctx);
    run();
    BOOST_TEST(!producer.runner()->is_running());
    BOOST_TEST(numbers.try_dequeue_many(100) == range(2, 8));
    BOOST_TEST(producer.queue().stats().places == 0U);
}

BOOST_AUTO_TEST_CASE(s55_a_function_that_a_stop_cancels_loses_nothing)
{
    feed(20);
    int_queue never(ctx, {.capacity = 1});
    bool is_repaired = false;
    const auto compute = [&](int number) -> asio::awaitable<int> {
        if (number == 5 && !is_repaired)
            co_await never.dequeue();
        co_return number;
    };
    const sluice::producer_options options{.workers = 3, .ordered = true, .capacity = 8};
    std::vector<int> results;
    {
        sluice::coordinator scope(ctx);
        int_producer producer(ctx, numbers, compute, options);
        producer.start(scope);
        run();
        scope.request_stop();
        run_until_done(collect(producer, results));
        run_until_done(scope.join());
    }
    BOOST_TEST(results == range(0, 4));
    BOOST_TEST(numbers.size() == 15U);
    is_repaired = true;
    int_producer next(ctx, numbers, compute, options);
    next.start(ctx);
    run_until_done(collect(next, results));
    BOOST_TEST(results == range(0, 19));
}

BOOST_AUTO_TEST_CASE(s55_a_failure_during_a_stop_loses_nothing)
{
    feed(20);
    int_queue gate(ctx, {.capacity = 1});
    const auto compute = [&](int number) -> asio::awaitable<int> {
        if (number == 5 && !gate.is_closed()) {
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation(
            ));
            co_await gate.next();
            throw std::runtime_error("five");
        }
        co_return number;
    };
    const sluice::producer_options options{.workers = 3, .ordered = true, .capacity = 8};
    std::vector<int> results;
    {
        sluice::coordinator scope(ctx);
        int_producer producer(ctx, numbers, compute, options);
        producer.start(scope);
        run();
        scope.request_stop();
        run();
        gate.close();
        run_until_done(collect(producer, results));
        BOOST_CHECK_THROW(run_until_done(scope.join()), std::runtime_error);
    }
    BOOST_TEST(results == range(0, 4));
    BOOST_TEST(numbers.size() == 15U);
    int_producer next(ctx, numbers, compute, options);
    next.start(ctx);
    run_until_done(collect(next, results));
    BOOST_TEST(results == range(0, 19));
}

BOOST_AUTO_TEST_CASE(
    s55_elements_that_cannot_be_copied_return_if_the_function_looks_at_them
)
{
    using boxes = sluice::fifo_queue<std::unique_ptr<int>>;
    for (const bool takes_over : {false, true}) {
        boxes input(ctx, {.capacity = 10});
        for (int i = 0; i < 5; ++i)
            BOOST_TEST_REQUIRE(input.try_enqueue(std::make_unique<int>(i)));
        const auto look = [](const std::unique_ptr<int>& box) {
            return *box == 1 ? throw std::runtime_error("one") : *box;
        };
        const auto take = [look](std::unique_ptr<int> box) { return look(box); };
        const sluice::producer_options options{
            .workers = 2,
            .ordered = true,
            .capacity = 8
        };
        const auto producer =
            takes_over ? std::make_unique<int_producer>(ctx, input, take, options)
                       : std::make_unique<int_producer>(ctx, input, look, options);
        producer->start(ctx);
        run();
        BOOST_TEST(producer->queue().size() == 1U);
        if (takes_over) {
            BOOST_TEST(input.size() < 4U);
        } else {
            BOOST_TEST(input.size() == 4U);
            for (int i = 1; i < 5; ++i)
                BOOST_TEST(*input.try_dequeue().value() == i);
        }
    }
}

BOOST_AUTO_TEST_CASE(s55_an_input_with_an_order_of_its_own_gives_the_rest_in_that_order)
{
    sluice::priority_queue<int> urgent(ctx, {.capacity = 100});
    for (const int number : {5, 3, 9, 1, 7})
        BOOST_TEST_REQUIRE(urgent.try_enqueue(number));
    failures failing{3};
    const auto compute = [&](int number) { return failing.check(number); };
    int_producer
        producer(ctx, urgent, compute, {.workers = 3, .ordered = true, .capacity = 8});
    producer.start(ctx);
    run();
    BOOST_TEST(urgent.try_enqueue(2));
    BOOST_TEST(urgent.try_dequeue_many(9) == (std::vector{2, 3, 5, 7, 9}));
}

BOOST_AUTO_TEST_CASE(s55_a_coroutine_that_is_destroyed_returns_its_element)
{
    auto own = std::make_unique<asio::io_context>();
    int_queue never(*own, {.capacity = 1});
    const auto wait = [&](int number) -> asio::awaitable<int> {
        if (number == 1)
            co_await never.dequeue();
        co_return number;
    };
    for (int i = 0; i < 6; ++i)
        BOOST_TEST_REQUIRE(numbers.try_enqueue(i));
    const auto producer = std::make_unique<int_producer>(
        ctx,
        numbers,
        wait,
        sluice::producer_options{.workers = 2, .ordered = true, .capacity = 4}
    );
    producer->start(*own);
    own->poll();
    BOOST_TEST(producer->queue().size() == 1U);
    BOOST_TEST(numbers.size() == 2U);
    own.reset();
    BOOST_TEST(numbers.try_dequeue_many(100) == range(1, 5));
}

BOOST_AUTO_TEST_CASE(s55_an_input_that_is_destroyed_takes_nothing_back)
{
    auto input = std::make_unique<int_queue>(ctx, sluice::queue_options{.capacity = 9});
    int_queue gate(ctx, {.capacity = 1});
    const auto wait = [&](int number) -> asio::awaitable<int> {
        co_await gate.dequeue();
        throw std::runtime_error(std::to_string(number));
    };
    for (int i = 0; i < 2; ++i)
        BOOST_TEST_REQUIRE(input->try_enqueue(i));
    int_producer
        producer(ctx, *input, wait, {.workers = 2, .ordered = true, .capacity = 4});
    producer.start(ctx);
    run();
    input.reset();  // the workers compute, and do not use it any more
    gate.close();
    run();
    BOOST_TEST(!producer.runner()->is_running());
}

// What is done with each result of a run that ends at a random failure, again and again.
BOOST_AUTO_TEST_CASE(s55_whatever_fails_each_result_comes_once_and_in_order)
{
    for (unsigned seed = 0; seed < 100; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&](int n) {
            return static_cast<int>(random() % static_cast<unsigned>(n));
        };
        const int count = 1 + below(40);
        numbers = int_queue(ctx, {.capacity = 40});
        feed(count);
        failures failing{};
        int attempts = 1;
        for (int i = 0; i < count; ++i)
            if (below(10) == 0) {
                failing.add(i);
                ++attempts;
            }
        const std::size_t workers = 1 + static_cast<std::size_t>(below(6));
        // One for each failure, and one more; several may come in one run.
        std::vector<int> results;
        for (; attempts > 0; --attempts) {
            const auto compute = [&](int number) -> asio::awaitable<int> {
                co_await dawdle(number + static_cast<int>(seed));
                co_return failing.check(number);
            };
            int_producer producer(
                ctx,
                numbers,
                compute,
                {.workers = workers, .ordered = true, .capacity = 1 + below(8)}
            );
            producer.start(ctx);
            run_until_done(collect(producer, results));
        }
        BOOST_TEST_CONTEXT("seed " << seed)
        {
            BOOST_TEST(results == range(0, count - 1));
            const sluice::queue_stats stats = numbers.stats();
            BOOST_TEST(stats.dequeued - stats.returned == stats.enqueued);
        }
    }
}

// Threads ------------------------------------------------------------------------------------

namespace {

struct no_fixture
{
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(in_threads, no_fixture)

BOOST_AUTO_TEST_CASE(s55_failures_under_threads_lose_nothing)
{
    constexpr int count = 20'000;
    sluice::io_context_pool pool(3);
    int_queue input(pool, {.capacity = 64});
    std::atomic<int> to_fail = 0;  // the first number from here on fails, once
    const auto work = [&](int number) -> asio::awaitable<int> {
        co_await dawdle(number);
        int expected = to_fail;
        if (number >= expected && to_fail.compare_exchange_strong(expected, number + 997))
            throw std::runtime_error(std::to_string(number));
        co_return number;
    };
    sluice::coordinator feeders(pool);
    feeders.spawn("feed", [&]() -> asio::awaitable<void> {
        for (int i = 0; i < count; ++i)
            co_await input.enqueue(i);
        input.close();
    });
    std::vector<int> results;
    int_producer producer(
        pool,
        input,
        work,
        {.workers = 4, .ordered = true, .capacity = sluice::unbounded}
    );
    sluice::feeder open(producer.queue());
    int runs = 0;
    for (bool has_failed = true; has_failed; ++runs) {
        producer.start(pool);
        has_failed = false;
        try {
            sluice::sync_wait(producer.join());
        } catch (const std::runtime_error&) {
            has_failed = true;
        }
    }
    open.end();
    pool.run(collect(producer, results));
    BOOST_TEST(results == range(0, count - 1));
    BOOST_TEST(runs > 10);
    sluice::sync_wait(feeders.join());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
