// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/shuffle_store.hpp>

#include "support/printing.hpp"
#include <sluice/error.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace shuffle_store {

using store_type = sluice::shuffle_store<int>;

store_type make_store(std::uint64_t seed, std::size_t min_after_dequeue = 0)
{
    return store_type(
        {.capacity = 1000, .min_after_dequeue = min_after_dequeue, .seed = seed}
    );
}

std::vector<int> shuffled(std::uint64_t seed, int count)
{
    store_type store = make_store(seed);
    for (int i = 0; i < count; ++i)
        store.push(int(i));
    std::vector<int> order;
    while (store.size() > 0)
        order.push_back(store.pop());
    return order;
}

}  // namespace shuffle_store

BOOST_AUTO_TEST_SUITE(shuffle_store)

BOOST_AUTO_TEST_CASE(order_of_seed_42_is_the_same_on_every_platform)
{
    // computed from the definition: std::mt19937_64, one draw per element, modulo the
    // size, and the last element fills the hole
    const std::vector<int> expected{6, 5, 2, 4, 8, 3, 0, 9, 7, 1};
    BOOST_TEST(shuffled(42, 10) == expected);
}

BOOST_AUTO_TEST_CASE(same_seed_gives_the_same_order_and_another_seed_another)
{
    BOOST_TEST(shuffled(7, 100) == shuffled(7, 100));
    BOOST_TEST((shuffled(7, 100) != shuffled(8, 100)));
}

BOOST_AUTO_TEST_CASE(without_a_seed_the_order_differs_each_time)
{
    std::vector<std::vector<int>> orders;
    for (int run = 0; run < 2; ++run) {
        store_type store(sluice::shuffle_queue_options{.capacity = sluice::unbounded});
        for (int i = 0; i < 100; ++i)
            store.push(int(i));
        orders.emplace_back();
        while (store.size() > 0)
            orders.back().push_back(store.pop());
    }
    BOOST_TEST((orders[0] != orders[1]));  // equal once in 100! runs
}

BOOST_AUTO_TEST_CASE(every_element_leaves_once)
{
    std::vector<int> order = shuffled(3, 200);
    BOOST_TEST(!std::is_sorted(order.begin(), order.end()));
    std::sort(order.begin(), order.end());
    for (int i = 0; i < 200; ++i)
        BOOST_TEST(order[static_cast<std::size_t>(i)] == i);
}

BOOST_AUTO_TEST_CASE(each_stored_element_is_equally_likely_to_leave_next)
{
    constexpr std::size_t elements = 10;
    constexpr int draws = 20000;
    store_type store = make_store(2026);
    for (std::size_t i = 0; i < elements; ++i)
        store.push(static_cast<int>(i));
    std::array<int, elements> count{};
    for (int i = 0; i < draws; ++i) {
        const int chosen = store.pop();
        ++count[static_cast<std::size_t>(chosen)];
        store.push(int(chosen));
    }
    const double expected = double(draws) / elements;
    double chi_square = 0;
    for (const int seen : count)
        chi_square += (seen - expected) * (seen - expected) / expected;
    // nine degrees of freedom: 27.9 is exceeded by one seed in a thousand
    BOOST_TEST(chi_square < 27.9);
    BOOST_TEST(chi_square > 0.5);
}

BOOST_AUTO_TEST_CASE(minimum_stays_behind_while_open)
{
    store_type store = make_store(1, 3);
    for (int i = 0; i < 3; ++i)
        store.push(int(i));
    BOOST_TEST(store.available(false) == 0U);
    BOOST_TEST(store.available(true) == 3U);
    store.push(3);
    BOOST_TEST(store.available(false) == 1U);
    BOOST_TEST(store.available(true) == 4U);
    (void)store.pop();
    (void)store.pop();
    BOOST_TEST(store.available(false) == 0U);
    BOOST_TEST(store.available(true) == 2U);
}

BOOST_AUTO_TEST_CASE(minimum_must_be_below_the_capacity)
{
    for (const std::size_t minimum : {5U, 6U}) {
        const auto is_clear = [&](const sluice::system_error& error) {
            const std::string text = error.what();
            return error.code() == sluice::errc::invalid_argument &&
                   text.find("'mixed'") != std::string::npos &&
                   text.find("(" + std::to_string(minimum) + ")") != std::string::npos &&
                   text.find("(5)") != std::string::npos;
        };
        BOOST_CHECK_EXCEPTION(
            store_type({.capacity = 5, .min_after_dequeue = minimum, .name = "mixed"}),
            sluice::system_error,
            is_clear
        );
    }
    BOOST_CHECK_THROW(store_type({.capacity = 0}), sluice::system_error);
    BOOST_CHECK_NO_THROW(store_type({.capacity = 5, .min_after_dequeue = 4}));
    BOOST_CHECK_NO_THROW(
        store_type({.capacity = sluice::unbounded, .min_after_dequeue = 4})
    );
}

BOOST_AUTO_TEST_SUITE_END()
