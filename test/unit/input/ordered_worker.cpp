// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/input/detail/ordered_worker.hpp>

#include "support/io_fixture.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/input/producer.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/feeder.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ordered_worker {

namespace asio = boost::asio;
using namespace sluice::test;

using int_queue = sluice::fifo_queue<int>;
using int_producer = sluice::producer<int>;

// A job of each number, which ends when the test says so, whatever else is cancelled.
class jobs
{
public:
    explicit jobs(asio::io_context& context) : context_(context) {}

    std::set<int> left_out;
    std::set<int> failing;

    [[nodiscard]] const std::set<int>& computing() const { return computing_; }

    void finish(int number)
    {
        if (number >= static_cast<int>(gates_.size()))
            make_gates(number);
        gate& own = *gates_[static_cast<std::size_t>(number)];
        own.open = true;
        own.changed.cancel();
    }

    asio::awaitable<std::optional<int>> compute(int number)
    {
        make_gates(number);
        gate& own = *gates_[static_cast<std::size_t>(number)];
        computing_.insert(number);
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        while (!own.open)
            co_await own.changed.async_wait(asio::as_tuple(asio::use_awaitable));
        co_await asio::this_coro::reset_cancellation_state();
        computing_.erase(number);
        if (failing.contains(number))
            throw std::runtime_error(std::to_string(number));
        if (left_out.contains(number))
            co_return std::nullopt;
        co_return number;
    }

private:
    struct gate
    {
        asio::steady_timer changed;
        bool open = false;
    };

    void make_gates(int last)
    {
        while (static_cast<int>(gates_.size()) <= last)
            gates_.push_back(std::make_unique<gate>(
                asio::steady_timer(context_, asio::steady_timer::time_point::max())
            ));
    }

    asio::io_context& context_;
    std::deque<std::unique_ptr<gate>> gates_;
    std::set<int> computing_;
};

// What a consumer got, and how it ended.
struct received
{
    std::vector<int> numbers;
    std::string failure;
};

asio::awaitable<received> take_all(int_producer& from)
{
    received got;
    try {
        for (;;) {
            const std::optional<int> next = co_await from.next();
            if (!next)
                break;
            got.numbers.push_back(*next);
        }
    } catch (const std::runtime_error& error) {
        got.failure = error.what();
    }
    co_return got;
}

std::vector<int> first_numbers(int count)
{
    std::vector<int> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

struct ordered : io_fixture
{
    jobs work{ctx};
    int_queue numbers{ctx, {.capacity = 10'000, .name = "numbers"}};

    auto job()
    {
        return [this](int number) { return work.compute(number); };
    }

    void feed(int count)
    {
        for (int i = 0; i < count; ++i)
            BOOST_TEST_REQUIRE(numbers.try_enqueue(i));
    }

    void finish(std::initializer_list<int> which)
    {
        for (const int number : which) {
            work.finish(number);
            run();
        }
    }
};

}  // namespace ordered_worker

BOOST_FIXTURE_TEST_SUITE(ordered_worker, ordered)

BOOST_AUTO_TEST_CASE(results_leave_in_the_order_of_the_input)
{
    int_producer
        results(ctx, numbers, job(), {.workers = 4, .ordered = true, .capacity = 5});
    feed(4);
    numbers.close();
    results.start(ctx);
    run();
    BOOST_TEST(work.computing().size() == 4U);
    finish({3, 1});
    BOOST_TEST(results.queue().size() == 0U);
    finish({0});
    BOOST_TEST(results.queue().size() == 2U);
    finish({2});
    BOOST_TEST(results.queue().size() == 4U);
    BOOST_TEST(!results.runner()->is_running());
    BOOST_TEST(run_until_done(take_all(results)).numbers == first_numbers(4));
}

BOOST_AUTO_TEST_CASE(skipped_element_keeps_its_place_until_its_turn)
{
    work.left_out = {1, 3};
    int_producer
        results(ctx, numbers, job(), {.workers = 5, .ordered = true, .capacity = 4});
    feed(4);
    numbers.close();
    results.start(ctx);
    run();
    finish({1, 2});
    BOOST_TEST(results.queue().stats().places == 4U);
    finish({0});
    BOOST_TEST(results.queue().size() == 2U);
    BOOST_TEST(results.queue().stats().places == 1U);
    finish({3});
    BOOST_TEST(results.queue().stats().places == 0U);
    BOOST_TEST(run_until_done(take_all(results)).numbers == (std::vector{0, 2}));
}

BOOST_AUTO_TEST_CASE(after_a_failure_the_results_before_it_are_delivered)
{
    work.failing = {2};
    int_producer
        results(ctx, numbers, job(), {.workers = 5, .ordered = true, .capacity = 9});
    feed(9);
    results.start(ctx);
    run();
    finish({3, 2, 4, 1});
    BOOST_TEST(results.queue().size() == 0U);
    BOOST_TEST(results.queue().stats().places == 2U);
    BOOST_TEST(!results.queue().is_closed());
    finish({0});
    BOOST_TEST(results.queue().size() == 2U);
    BOOST_TEST(numbers.size() == 3U);  // 5 was taken after 3, and none after the failure
    finish({5});
    BOOST_TEST(!results.runner()->is_running());
    BOOST_TEST(numbers.size() == 7U);
    const received got = run_until_done(take_all(results));
    BOOST_TEST(got.numbers == first_numbers(2));
    BOOST_TEST(got.failure == "2");
    BOOST_TEST(results.runner()->exceptions_raised().size() == 1U);
}

BOOST_AUTO_TEST_CASE(of_several_failures_the_first_in_the_input_counts)
{
    work.failing = {1, 3};
    int_producer
        results(ctx, numbers, job(), {.workers = 4, .ordered = true, .capacity = 9});
    feed(4);
    results.start(ctx);
    run();
    finish({3, 2, 1, 0});
    const received got = run_until_done(take_all(results));
    BOOST_TEST(got.numbers == first_numbers(1));
    BOOST_TEST(got.failure == "1");
    BOOST_TEST(results.runner()->exceptions_raised().size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_failure_ends_the_wait_for_the_input)
{
    work.failing = {0};
    int_producer
        results(ctx, numbers, job(), {.workers = 3, .ordered = true, .capacity = 9});
    feed(1);
    results.start(ctx);
    run();
    BOOST_TEST(numbers.stats().waiting_consumers == 1U);
    finish({0});
    BOOST_TEST(!results.runner()->is_running());
    BOOST_TEST(numbers.stats().waiting_consumers == 0U);
    BOOST_TEST(run_until_done(take_all(results)).failure == "0");
}

BOOST_AUTO_TEST_CASE(a_failure_stops_the_coordinator)
{
    work.failing = {1};
    sluice::coordinator scope(ctx);
    int_producer
        results(ctx, numbers, job(), {.workers = 3, .ordered = true, .capacity = 9});
    feed(3);
    results.start(scope);
    run();
    finish({1, 2});
    BOOST_TEST(!scope.should_stop());
    finish({0});
    BOOST_TEST(scope.should_stop());
    BOOST_TEST(run_until_done(take_all(results)).numbers == first_numbers(1));
    BOOST_CHECK_THROW(run_until_done(scope.join()), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_stop_loses_nothing_that_is_being_computed)
{
    sluice::coordinator scope(ctx);
    int_producer
        results(ctx, numbers, job(), {.workers = 3, .ordered = true, .capacity = 9});
    feed(5);
    results.start(scope);
    run();
    scope.request_stop();
    finish({2, 0, 1});
    BOOST_TEST(!results.runner()->is_running());
    BOOST_TEST(run_until_done(take_all(results)).numbers == first_numbers(3));
    BOOST_TEST(numbers.size() == 2U);
    run_until_done(scope.join());
}

BOOST_AUTO_TEST_CASE(a_stop_loses_nothing_while_the_output_is_full_or_the_input_empty)
{
    const auto same = [](int number) { return number; };
    sluice::coordinator scope(ctx);
    int_queue empty(ctx, {.capacity = 1});
    int_producer full(ctx, numbers, same, {.workers = 3, .ordered = true, .capacity = 2});
    int_producer idle(ctx, empty, same, {.workers = 3, .ordered = true, .capacity = 2});
    feed(5);
    full.start(scope);
    idle.start(scope);
    run();
    scope.request_stop();
    run();
    BOOST_TEST(!full.runner()->is_running());
    BOOST_TEST(!idle.runner()->is_running());
    BOOST_TEST(run_until_done(take_all(full)).numbers == first_numbers(2));
    BOOST_TEST(numbers.size() == 3U);
    run_until_done(scope.join());
}

BOOST_AUTO_TEST_CASE(a_function_that_is_cancelled_is_the_end)
{
    sluice::coordinator scope(ctx);
    int_queue never(ctx, {.capacity = 1});
    const auto wait_at_1 = [&](int number) -> asio::awaitable<int> {
        if (number == 1)
            co_await never.dequeue();
        co_return number;
    };
    int_producer
        results(ctx, numbers, wait_at_1, {.workers = 2, .ordered = true, .capacity = 4});
    feed(9);
    results.start(scope);
    run();
    BOOST_TEST(results.queue().size() == 1U);
    BOOST_TEST(results.queue().stats().places == 3U);
    scope.request_stop();
    run();
    BOOST_TEST(!results.runner()->is_running());
    BOOST_TEST(run_until_done(take_all(results)).numbers == first_numbers(1));
    BOOST_TEST(results.queue().stats().places == 0U);
    run_until_done(scope.join());
}

BOOST_AUTO_TEST_CASE(a_slow_element_holds_up_no_more_than_the_capacity)
{
    int_producer
        results(ctx, numbers, job(), {.workers = 3, .ordered = true, .capacity = 8});
    feed(100);
    numbers.close();
    for (int i = 1; i < 100; ++i)
        work.finish(i);
    results.start(ctx);
    run();
    const sluice::queue_stats stats = results.queue().stats();
    BOOST_TEST(stats.size == 0U);
    BOOST_TEST(stats.places == 8U);
    BOOST_TEST(numbers.size() == 92U);
    finish({0});
    BOOST_TEST(results.queue().size() == 8U);
    BOOST_TEST(run_until_done(take_all(results)).numbers == first_numbers(100));
}

namespace {

// A result that counts how many of its kind there are, independently of all queues.
class weighty
{
public:
    explicit weighty(int& alive) : alive_(&alive) { ++*alive_; }
    weighty(weighty&& other) noexcept : alive_(std::exchange(other.alive_, nullptr)) {}
    weighty& operator=(weighty&&) = delete;
    ~weighty()
    {
        if (alive_ != nullptr)
            --*alive_;
    }

private:
    int* alive_;
};

}  // namespace

// The first element takes as long as a thousand others.
BOOST_AUTO_TEST_CASE(results_in_flight_are_at_most_the_capacity_and_one_for_each_worker)
{
    constexpr int capacity = 8;
    constexpr int workers = 3;
    constexpr int count = 1001;
    int alive = 0;
    int most = 0;
    const auto compute = [&](int number) -> asio::awaitable<weighty> {
        if (number == 0)
            co_await work.compute(number);
        weighty result(alive);
        most = std::max(most, alive);
        co_return result;
    };
    sluice::producer<weighty> results(
        ctx,
        numbers,
        compute,
        {.workers = workers, .ordered = true, .capacity = capacity}
    );
    feed(count);
    numbers.close();
    results.start(ctx);
    run();
    BOOST_TEST(alive == capacity - 1);  // all but the first
    BOOST_TEST(numbers.size() == std::size_t(count - capacity));
    finish({0});
    int taken = 0;
    const auto take = [&]() -> asio::awaitable<void> {
        while (co_await results.next())
            ++taken;
    };
    run_until_done(take());
    BOOST_TEST(taken == count);
    BOOST_TEST(alive == 0);
    BOOST_TEST(most <= capacity + workers);
}

BOOST_AUTO_TEST_CASE(after_a_failure_a_further_run_goes_on_with_that_element)
{
    work.failing = {0};
    int_producer
        results(ctx, numbers, job(), {.workers = 2, .ordered = true, .capacity = 8});
    sluice::feeder open(results.queue());
    feed(4);
    results.start(ctx);
    run();
    finish({0, 1});
    BOOST_TEST(!results.runner()->is_running());
    BOOST_TEST(numbers.size() == 4U);
    work.failing = {};
    BOOST_TEST(results.start(ctx));
    finish({2, 3});
    open.end();
    numbers.close();
    BOOST_TEST(run_until_done(take_all(results)).numbers == first_numbers(4));
}

BOOST_AUTO_TEST_CASE(may_be_destroyed_while_workers_compute)
{
    auto results = std::make_unique<int_producer>(
        ctx,
        numbers,
        job(),
        sluice::producer_options{.workers = 3, .ordered = true, .capacity = 8}
    );
    const auto runner = results->runner();
    feed(9);
    results->start(ctx);
    run();
    results.reset();
    finish({1, 0, 2});
    BOOST_TEST(!runner->is_running());
    BOOST_TEST(numbers.size() == 6U);
}

BOOST_AUTO_TEST_CASE(coroutines_may_be_destroyed_halfway)
{
    auto context = std::make_unique<asio::io_context>();
    jobs own(*context);
    int_queue input(*context, {.capacity = 9});
    int_producer results(
        *context,
        input,
        [&own](int number) { return own.compute(number); },
        {.workers = 3, .ordered = true, .capacity = 8}
    );
    for (int i = 0; i < 2; ++i)
        BOOST_TEST_REQUIRE(input.try_enqueue(i));
    results.start(*context);
    own.finish(1);
    context->poll();
    BOOST_TEST(results.runner()->is_running());
    BOOST_TEST(own.computing() == std::set<int>{0}, boost::test_tools::per_element());
}

// Whatever the order in which jobs end, consumers get what one worker would have given.
BOOST_AUTO_TEST_CASE(gives_what_one_worker_would_have_given)
{
    for (unsigned seed = 0; seed < 300; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&](int n) {
            return static_cast<int>(random() % static_cast<unsigned>(n));
        };
        const int count = 1 + below(20);
        jobs own(ctx);
        int_queue input(ctx, {.capacity = count});
        received expected;
        for (int i = 0; i < count; ++i) {
            BOOST_TEST_REQUIRE(input.try_enqueue(i));
            if (below(15) == 0)
                own.failing.insert(i);
            else if (below(4) == 0)
                own.left_out.insert(i);
            if (expected.failure.empty() && own.failing.contains(i))
                expected.failure = std::to_string(i);
            if (expected.failure.empty() && !own.left_out.contains(i))
                expected.numbers.push_back(i);
        }
        input.close();
        const std::size_t capacity = 1 + static_cast<std::size_t>(below(6));
        int_producer results(
            ctx,
            input,
            [&own](int number) { return own.compute(number); },
            {.workers = 1 + static_cast<std::size_t>(below(6)),
             .ordered = true,
             .capacity = capacity}
        );
        results.start(ctx);
        const auto consumer = spawn(take_all(results));
        for (;;) {
            run();
            const sluice::queue_stats stats = results.queue().stats();
            BOOST_TEST_REQUIRE(stats.size + stats.places <= capacity);
            if (own.computing().empty())
                break;
            own.finish(*std::next(
                own.computing().begin(),
                below(static_cast<int>(own.computing().size()))
            ));
        }
        const received got = consumer.result();
        BOOST_TEST_CONTEXT("seed " << seed)
        {
            BOOST_TEST(got.numbers == expected.numbers);
            BOOST_TEST(got.failure == expected.failure);
            BOOST_TEST(!results.runner()->is_running());
        }
    }
}

// Threads ------------------------------------------------------------------------------------

namespace {

// Is posted to its executor now and then, so that workers complete in any order.
asio::awaitable<std::optional<int>> mix(int number)
{
    for (int i = 0; i < number % 3; ++i)
        co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
    if (number == 3500)
        throw std::runtime_error("3500");
    if (number % 7 == 0)
        co_return std::nullopt;
    co_return number;
}

received results_in_threads(int count)
{
    sluice::io_context_pool pool(2);
    int_queue input(pool, {.capacity = 16});
    int_producer
        results(pool, input, mix, {.workers = 4, .ordered = true, .capacity = 16});
    const auto feed = [&input, count]() -> asio::awaitable<void> {
        for (int i = 0; i < count && !input.is_closed(); ++i)
            co_await input.enqueue(i);
        input.close();
    };
    const auto feed_and_take = [&]() -> asio::awaitable<received> {
        sluice::coordinator scope(pool);
        scope.spawn("feed", feed());
        results.start(pool);
        received got = co_await take_all(results);
        scope.request_stop();
        co_await scope.join();
        co_return got;
    };
    return pool.run(feed_and_take);
}

std::vector<int> mixed(int count)
{
    std::vector<int> expected = first_numbers(count);
    std::erase_if(expected, [](int number) { return number % 7 == 0; });
    return expected;
}

}  // namespace

struct no_fixture
{
};

BOOST_FIXTURE_TEST_SUITE(in_threads, no_fixture)

BOOST_AUTO_TEST_CASE(keeps_the_order)
{
    BOOST_TEST(results_in_threads(3000).numbers == mixed(3000));
}

BOOST_AUTO_TEST_CASE(ends_at_a_failure)
{
    const received got = results_in_threads(5000);
    BOOST_TEST(got.numbers == mixed(3500));
    BOOST_TEST(got.failure == "3500");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
