// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/shuffle_store.hpp>

#include "support/printing.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
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

BOOST_AUTO_TEST_SUITE_END()
