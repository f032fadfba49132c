// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: T7

// What the shuffle queue keeps behind, and in which order elements leave it (T7). What it shares
// with the other kinds is in queue_kinds.cpp.
//
// The known outputs were computed apart from the library, from the definition of the
// order: std::mt19937_64, one draw per element, reduced modulo the size; the last element
// fills the hole.

#include "behaviour/queue_cases.hpp"
#include <sluice/queue/shuffle_queue.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace test = sluice::test;
using sluice::errc;
using test::range;
using test::sorted;
using test::tens;
using batch = std::vector<int>;

namespace shuffle_cases {

using shuffle = sluice::shuffle_queue<int>;

struct order_fixture : test::queue_fixture
{
    // In what order the numbers 0-9 leave.
    batch order_of(std::uint64_t seed)
    {
        shuffle queue{ctx, {.capacity = 10, .seed = seed}};
        fill(queue, range(0, 9));
        return get_each(queue, 10);
    }

    shuffle kept{ctx, {.capacity = 10, .min_after_dequeue = 2}};
};

// The statistic of a chi-square test for equally likely outcomes.
template <class Counts>
double chi_square(const Counts& counts, double expected)
{
    double sum = 0;
    for (const auto& [outcome, count] : counts)
        sum += (count - expected) * (count - expected) / expected;
    return sum;
}

template <class Options>
std::string refusal(boost::asio::io_context& ctx, Options options)
{
    try {
        const shuffle queue{ctx, options};
    } catch (const sluice::system_error& error) {
        return error.code() == errc::invalid_argument ? error.what() : "another code";
    }
    return "none";
}

}  // namespace shuffle_cases

BOOST_FIXTURE_TEST_SUITE(shuffle_cases, order_fixture)

// min_after_dequeue.

BOOST_AUTO_TEST_CASE(min_after_dequeue_must_be_below_the_capacity)
{
    const auto equal = refusal(
        ctx,
        sluice::shuffle_queue_options{.capacity = 5, .min_after_dequeue = 5}
    );
    const auto above = refusal(
        ctx,
        sluice::shuffle_queue_options{
            .capacity = 5,
            .min_after_dequeue = 6,
            .name = "mixed"
        }
    );

    BOOST_TEST(test::contains(equal, "min_after_dequeue (5)"));
    BOOST_TEST(test::contains(above, "'mixed'"));
    BOOST_TEST(test::contains(above, "min_after_dequeue (6)"));
    BOOST_TEST(test::contains(above, "capacity (5)"));
}

BOOST_AUTO_TEST_CASE(each_form_leaves_the_minimum_while_open)
{
    fill(kept, tens(2));

    BOOST_TEST(!kept.try_dequeue().has_value());
    BOOST_TEST(kept.try_dequeue_many(5).empty());
    const auto one = start(kept.dequeue());
    const auto next = start(kept.next());
    const auto some = start(kept.dequeue_some(5));
    one.check_pending();
    BOOST_TEST(kept.size() == 2U);
    fill(kept, {30, 40, 50});

    one.check_done();
    next.check_done();
    BOOST_TEST(some.result().size() == 1U);
    BOOST_TEST(kept.size() == 2U);
}

BOOST_AUTO_TEST_CASE(minimum_counts_for_nothing_once_closed)
{
    fill(kept, tens(2));
    const auto one = start(kept.dequeue());
    const auto next = start(kept.next());
    const auto late = start(kept.dequeue());
    one.check_pending();

    kept.close();
    run();

    BOOST_TEST(sorted(batch{one.result(), *next.result()}) == tens(2));
    late.check_error(errc::end_of_queue);
}

// The order is given by the seed.

BOOST_AUTO_TEST_CASE(known_outputs)
{
    BOOST_TEST(order_of(42) == (batch{6, 5, 2, 4, 8, 3, 0, 9, 7, 1}));
    BOOST_TEST(order_of(1729) == (batch{3, 9, 2, 8, 1, 6, 5, 7, 4, 0}));
    BOOST_TEST(order_of(0) == (batch{4, 5, 1, 6, 9, 3, 8, 0, 2, 7}));
}

BOOST_AUTO_TEST_CASE(without_a_seed_the_order_differs)
{
    shuffle first{ctx, {.capacity = sluice::unbounded}};
    shuffle second{ctx, {.capacity = sluice::unbounded}};
    fill(first, range(1, 50));
    fill(second, range(1, 50));

    BOOST_TEST(get(first.dequeue_many(50)) != get(second.dequeue_many(50)));
}

// All orders are equally likely. The limits are those of p = 0.001; with the seeds below
// the outcome is always the same.

BOOST_AUTO_TEST_CASE(every_order_of_a_batch_is_equally_likely)
{
    shuffle queue{ctx, {.capacity = 4, .seed = 28}};
    std::map<batch, int> counts;
    const auto draws = spawn([&]() -> boost::asio::awaitable<void> {
        for (int i = 0; i < 12'000; ++i) {
            batch rows = range(1, 4);
            co_await queue.enqueue_many(rows);
            ++counts[co_await queue.dequeue_many(4)];
        }
    });
    run();

    draws.result();
    BOOST_TEST(counts.size() == 24U);
    BOOST_TEST(chi_square(counts, 500) < 49.73);
}

BOOST_AUTO_TEST_SUITE_END()
