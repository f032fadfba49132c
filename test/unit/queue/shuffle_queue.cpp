// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/shuffle_queue.hpp>

#include "support/co_test.hpp"
#include "support/io_fixture.hpp"
#include "support/printing.hpp"
#include "support/recording_handler.hpp"
#include <sluice/error.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using sluice::errc;
using sluice::test::record;

namespace shuffle_queue {

using queue = sluice::shuffle_queue<int>;

constexpr std::uint64_t seeds[] = {1729, 87539319};

std::vector<int> sorted(std::vector<int> values)
{
    std::sort(values.begin(), values.end());
    return values;
}

std::vector<int> numbers(int first, int last)
{
    std::vector<int> result;
    for (int i = first; i <= last; ++i)
        result.push_back(i);
    return result;
}

}  // namespace shuffle_queue

BOOST_FIXTURE_TEST_SUITE(shuffle_queue, sluice::test::io_fixture)

SLUICE_CO_TEST(order_of_seed_42_is_pinned)
{
    queue q(ctx, {.capacity = 10, .seed = 42});
    std::vector<int> values = numbers(0, 9);
    co_await q.enqueue_many(values);
    BOOST_TEST(
        sluice::test::to_text(co_await q.dequeue_many(10)) ==
        "[6, 5, 2, 4, 8, 3, 0, 9, 7, 1]"
    );
}

SLUICE_CO_TEST(batches_of_two_seeds_differ)
{
    std::vector<std::vector<int>> orders;
    for (const std::uint64_t seed : seeds) {
        queue q(ctx, {.capacity = 10, .min_after_dequeue = 5, .seed = seed});
        for (int round = 0; round < 2; ++round) {
            std::vector<int> values = numbers(1, 5);
            co_await q.enqueue_many(values);
        }
        orders.push_back(co_await q.dequeue_many(5));
        q.close();
        orders.push_back(co_await q.dequeue_many(5));
    }
    for (std::size_t i = 0; i < orders.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            BOOST_TEST((orders[i] != orders[k]));
}

BOOST_AUTO_TEST_CASE(minimum_stays_in_the_queue_until_it_is_closed)
{
    queue q(ctx, {.capacity = 10, .min_after_dequeue = 3, .seed = 1});
    std::vector<int> values = numbers(1, 5);
    BOOST_TEST(q.try_enqueue_many(values) == 5U);
    BOOST_TEST(q.try_dequeue_many(10).size() == 2U);
    BOOST_TEST(!q.try_dequeue().has_value());
    auto waits = q.async_dequeue(record);
    run();
    waits.check_pending();
    q.close();
    run();
    waits.check_success();
    BOOST_TEST(q.try_dequeue_many(10).size() == 2U);
}

SLUICE_CO_TEST(short_batch_after_the_close_loses_nothing)
{
    queue q(ctx, {.capacity = 10, .seed = 1});
    std::vector<int> values = numbers(1, 4);
    co_await q.enqueue_many(values);
    std::vector<int> all = co_await q.dequeue_many(3);
    auto second = q.async_dequeue_many(3, record);
    co_await settle();
    second.check_pending();
    q.close();
    co_await settle();
    second.check_error(errc::end_of_queue);
    const auto rest = co_await q.dequeue_many(q.size());
    BOOST_TEST(rest.size() == 1U);
    all.push_back(rest.front());
    BOOST_TEST(sorted(all) == numbers(1, 4));
}

BOOST_AUTO_TEST_CASE(minimum_that_is_not_below_the_capacity_is_refused)
{
    BOOST_CHECK_EXCEPTION(
        queue(ctx, {.capacity = 5, .min_after_dequeue = 5, .name = "mixed"}),
        sluice::system_error,
        [](const sluice::system_error& error) {
            return error.code() == errc::invalid_argument &&
                   std::string(error.what()).find("shuffle_queue 'mixed'") == 0;
        }
    );
    BOOST_CHECK_THROW(queue(ctx, {.capacity = 0}), sluice::system_error);
    BOOST_TEST(queue(ctx, {.capacity = 1}).capacity() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
