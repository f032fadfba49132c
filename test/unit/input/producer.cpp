// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/input/producer.hpp>

#include "support/io_fixture.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/priority_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace producer {

namespace asio = boost::asio;

using int_queue = sluice::fifo_queue<int>;
using namespace sluice::test;

struct stages : io_fixture
{
    int_queue numbers{ctx, {.capacity = 1000, .name = "numbers"}};

    void feed(int count)
    {
        for (int i = 0; i < count; ++i)
            BOOST_TEST_REQUIRE(numbers.try_enqueue(i));
        numbers.close();
    }

    template <class Producer>
    auto all_of(Producer& results)
    {
        using result = typename Producer::value_type;
        const auto take_all = [](Producer& from) -> asio::awaitable<std::vector<result>> {
            std::vector<result> taken;
            for (;;) {
                std::optional<result> next = co_await from.next();
                if (!next)
                    co_return taken;
                taken.push_back(std::move(*next));
            }
        };
        return run_until_done(take_all(results));
    }

    // After a stop the end is that of a queue that was cut off (S52).
    template <class Producer>
    auto all_until_the_stop(Producer& results)
    {
        using result = typename Producer::value_type;
        std::vector<result> taken;
        sluice::error_code end;
        while (std::optional<result> next = results.queue().try_dequeue(end))
            taken.push_back(std::move(*next));
        BOOST_TEST(end == sluice::errc::stop_requested);
        return taken;
    }
};

int twice(int number)
{
    return 2 * number;
}

std::optional<int> if_even(int number)
{
    return number % 2 == 0 ? std::optional(number) : std::nullopt;
}

const std::vector<int> doubled{0, 2, 4, 6, 8};

}  // namespace producer

BOOST_FIXTURE_TEST_SUITE(producer, stages)

BOOST_AUTO_TEST_CASE(calls_a_function_and_closes_with_its_input)
{
    sluice::producer<int> results(ctx, numbers, twice, {.capacity = 2, .name = "twice"});
    BOOST_TEST(results.name() == "twice");
    BOOST_TEST(results.queue().capacity() == 2U);
    BOOST_TEST(results.runner()->size() == 1U);
    feed(5);
    results.start(ctx);
    BOOST_TEST(all_of(results) == doubled);
    run();
    BOOST_TEST(!results.runner()->is_running());
}

BOOST_AUTO_TEST_CASE(leaves_out_what_gives_nothing)
{
    sluice::producer<int> results(ctx, numbers, if_even, {.capacity = 2});
    feed(5);
    results.start(ctx);
    BOOST_TEST(all_of(results) == (std::vector{0, 2, 4}));
}

BOOST_AUTO_TEST_CASE(the_function_may_be_a_coroutine)
{
    const auto wait_and_double = [](int number) -> asio::awaitable<long> {
        co_return 2 * number;
    };
    const auto wait_and_leave_out = [](long number
                                    ) -> asio::awaitable<std::optional<int>> {
        co_return if_even(static_cast<int>(number) / 2);
    };
    sluice::producer<long> longs(ctx, numbers, wait_and_double, {.capacity = 2});
    sluice::producer<int> evens(ctx, longs, wait_and_leave_out, {.capacity = 2});
    feed(5);
    longs.start(ctx);
    evens.start(ctx);
    BOOST_TEST(all_of(evens) == (std::vector{0, 2, 4}));
}

BOOST_AUTO_TEST_CASE(elements_and_results_may_be_move_only_and_the_input_any_queue)
{
    sluice::priority_queue<int> urgent(ctx, {.capacity = 10});
    const auto box = [](int number) { return std::make_unique<int>(number); };
    const auto unbox = [](const std::unique_ptr<int>& number) { return *number; };
    sluice::producer<std::unique_ptr<int>> boxes(ctx, urgent, box, {.capacity = 2});
    sluice::producer<int> results(ctx, boxes, unbox, {.capacity = 2});
    for (const int number : {3, 1, 2})
        BOOST_TEST_REQUIRE(urgent.try_enqueue(number));
    urgent.close();
    boxes.start(ctx);
    results.start(ctx);
    auto taken = all_of(results);
    std::sort(taken.begin(), taken.end());
    BOOST_TEST(taken == (std::vector{1, 2, 3}));
}

BOOST_AUTO_TEST_CASE(several_workers_compute_at_the_same_time)
{
    int computing = 0;
    int_queue done(ctx, {.capacity = 4});
    const auto wait = [&](int number) -> asio::awaitable<int> {
        ++computing;
        co_await done.dequeue();
        co_return 2 * number;
    };
    sluice::producer<int> results(ctx, numbers, wait, {.workers = 4, .capacity = 8});
    feed(4);
    results.start(ctx);
    run();
    BOOST_TEST(computing == 4);
    for (int i = 0; i < 4; ++i)
        BOOST_TEST(done.try_enqueue(i));
    BOOST_TEST(all_of(results).size() == 4U);
}

BOOST_AUTO_TEST_CASE(takes_no_element_without_a_place_for_its_result)
{
    sluice::producer<int> results(ctx, numbers, twice, {.workers = 3, .capacity = 2});
    feed(5);
    results.start(ctx);
    run();
    BOOST_TEST(results.queue().size() == 2U);
    BOOST_TEST(numbers.size() == 3U);
    BOOST_TEST(all_of(results) == doubled);
}

BOOST_AUTO_TEST_CASE(a_stop_loses_nothing)
{
    sluice::coordinator scope(ctx);
    sluice::producer<int> results(ctx, numbers, twice, {.workers = 3, .capacity = 2});
    for (int i = 0; i < 5; ++i)
        BOOST_TEST_REQUIRE(numbers.try_enqueue(i));
    results.start(scope);
    run();
    scope.request_stop();
    run();
    BOOST_TEST(!results.runner()->is_running());
    BOOST_TEST(all_until_the_stop(results) == (std::vector{0, 2}));
    BOOST_TEST(numbers.size() == 3U);
    run_until_done(scope.join());
}

BOOST_AUTO_TEST_CASE(an_exception_of_the_function_is_the_cause_of_the_end)
{
    const auto fail_at_2 = [](int number) {
        return number == 2 ? throw std::runtime_error("two") : number;
    };
    sluice::producer<int> results(ctx, numbers, fail_at_2, {.capacity = 9});
    feed(5);
    results.start(ctx);
    run();
    BOOST_TEST(results.queue().size() == 2U);
    BOOST_CHECK_THROW(all_of(results), std::runtime_error);
    BOOST_CHECK_THROW(run_until_done(results.join()), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(refuses_no_worker_and_no_capacity)
{
    const auto says = [](std::string remedy) {
        return [remedy = std::move(remedy)](const sluice::system_error& error) {
            return error.code() == sluice::errc::invalid_argument &&
                   std::string(error.what()).find(remedy) != std::string::npos;
        };
    };
    using results = sluice::producer<int>;
    BOOST_CHECK_EXCEPTION(
        results(ctx, numbers, twice, {.workers = 0, .capacity = 1, .name = "squares"}),
        sluice::system_error,
        says("producer 'squares': it has no worker; give at least one")
    );
    BOOST_CHECK_EXCEPTION(
        results(ctx, numbers, twice, {.capacity = 0, .name = "squares"}),
        sluice::system_error,
        says("producer 'squares': capacity 0 has no place for a result; give at least 1")
    );
}

BOOST_AUTO_TEST_SUITE_END()
