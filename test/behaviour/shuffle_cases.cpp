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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace test = sluice::test;
using sluice::errc;
using test::joined;
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

    // One to five, twice; half of it with the queue open, half of it after the close.
    template <class Take>
    void take_halves(std::uint64_t seed, Take take, std::vector<batch>& halves)
    {
        shuffle queue{ctx, {.capacity = 10, .min_after_dequeue = 5, .seed = seed}};
        fill(queue, range(1, 5));
        fill(queue, range(1, 5));
        halves.push_back(get(take(queue)));
        queue.close();
        halves.push_back(get(take(queue)));
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

BOOST_AUTO_TEST_CASE(try_dequeue_many_takes_what_is_above_the_minimum)
{
    fill(kept, tens(6));

    BOOST_TEST(kept.try_dequeue_many(9).size() == 4U);
    BOOST_TEST(kept.size() == 2U);
    kept.close();
    BOOST_TEST(kept.try_dequeue_many(9).size() == 2U);
}

BOOST_AUTO_TEST_CASE(size_is_never_below_the_minimum)
{
    constexpr std::size_t minimum = 8;
    shuffle queue{ctx, {.capacity = 20, .min_after_dequeue = minimum, .seed = 25}};
    std::mt19937 random{25};
    std::vector<test::spawned<batch>> batches;
    std::size_t enqueued = 0;
    std::size_t dequeued = 0;
    int violations = 0;
    for (int step = 0; step < 3000; ++step) {
        const std::size_t before = queue.size();
        switch (random() % 5) {
        case 0:
        case 1:
            enqueued += queue.try_enqueue(int{step}) ? 1U : 0U;
            break;
        case 2:
            dequeued += queue.try_dequeue() ? 1U : 0U;
            break;
        case 3:
            dequeued += queue.try_dequeue_many(random() % 4).size();
            break;
        default:
            batches.push_back(start(queue.dequeue_many(random() % 3)));
        }
        run();
        violations += queue.size() < std::min(before, minimum) ? 1 : 0;
    }
    queue.close();
    run();

    BOOST_TEST(violations == 0);
    for (const auto& taken : batches)
        dequeued += taken.error() ? 0 : taken.result().size();
    BOOST_TEST(enqueued > 1000U);
    BOOST_TEST(enqueued == dequeued + queue.size());
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

BOOST_AUTO_TEST_CASE(batch_above_what_the_minimum_leaves)
{
    const auto waiting = start(kept.dequeue_many(20));
    for (int i = 1; i <= 21; ++i)
        put(kept, i);
    BOOST_TEST(kept.size() == 2U);
    waiting.check_pending();

    put(kept, 22);

    BOOST_TEST(waiting.result().size() == 20U);
    BOOST_TEST(kept.size() == 2U);
}

// The order is given by the seed.

BOOST_AUTO_TEST_CASE(known_outputs)
{
    BOOST_TEST(order_of(42) == (batch{6, 5, 2, 4, 8, 3, 0, 9, 7, 1}));
    BOOST_TEST(order_of(1729) == (batch{3, 9, 2, 8, 1, 6, 5, 7, 4, 0}));
    BOOST_TEST(order_of(0) == (batch{4, 5, 1, 6, 9, 3, 8, 0, 2, 7}));
}

BOOST_AUTO_TEST_CASE(every_form_of_dequeue_draws_alike)
{
    shuffle queue{ctx, {.capacity = sluice::unbounded, .seed = 42}};
    fill(queue, range(0, 9));

    batch got{get(queue.dequeue()), *get(queue.next()), *queue.try_dequeue()};
    got = joined(got, get(queue.dequeue_some(2)));
    got = joined(got, queue.try_dequeue_many(2));
    got = joined(got, get(queue.dequeue_up_to(3)));

    BOOST_TEST(got == (batch{6, 5, 2, 4, 8, 3, 0, 9, 7, 1}));
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
