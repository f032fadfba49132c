// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/priority_store.hpp>

#include "support/counted.hpp"
#include "support/printing.hpp"
#include <sluice/error.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace {

struct by_number
{
    bool operator()(const std::pair<int, char>& a, const std::pair<int, char>& b) const
    {
        return a.first < b.first;
    }
};

using numbers = sluice::priority_store<int, std::less<>>;
using pairs = sluice::priority_store<std::pair<int, char>, by_number>;

template <class Store>
auto take_all(Store& store)
{
    std::vector<decltype(store.pop())> result;
    while (store.size() > 0)
        result.push_back(store.pop());
    return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(priority_store)

BOOST_AUTO_TEST_CASE(smallest_leaves_first)
{
    numbers store{sluice::queue_options{}};
    for (const int value : {5, 3, 9, 1, 7, 3})
        store.push(int(value));
    BOOST_TEST(take_all(store) == (std::vector<int>{1, 3, 3, 5, 7, 9}));
}

BOOST_AUTO_TEST_CASE(order_is_that_of_the_comparison)
{
    sluice::priority_store<int, std::greater<>> store{sluice::queue_options{}};
    for (const int value : {5, 3, 9})
        store.push(int(value));
    BOOST_TEST(take_all(store) == (std::vector<int>{9, 5, 3}));
}

BOOST_AUTO_TEST_CASE(extremes_are_ordinary_values)  // X32
{
    sluice::priority_store<std::int64_t, std::less<>> store{sluice::queue_options{}};
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    constexpr auto highest = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t value : {std::int64_t{0}, highest, lowest})
        store.push(std::int64_t(value));
    BOOST_TEST(store.pop() == lowest);
    BOOST_TEST(store.pop() == 0);
    BOOST_TEST(store.pop() == highest);
}

BOOST_AUTO_TEST_CASE(equals_leave_in_the_order_they_came)  // X31, D8
{
    pairs store{sluice::queue_options{}};
    for (char c = 'a'; c <= 'p'; ++c)
        store.push({(c - 'a') % 2, c});
    std::string even;
    std::string odd;
    for (const auto& [number, letter] : take_all(store))
        (number == 0 ? even : odd) += letter;
    BOOST_TEST(even == "acegikmo");
    BOOST_TEST(odd == "bdfhjlnp");
}

BOOST_AUTO_TEST_CASE(element_put_back_leaves_before_its_equals)
{
    pairs store{sluice::queue_options{}};
    for (const char c : {'a', 'b', 'c'})
        store.push({1, c});
    const auto first = store.pop();
    const auto second = store.pop();
    store.push({1, 'd'});
    store.put_back({second.first, second.second});
    store.put_back({first.first, first.second});
    store.push({0, 'z'});
    std::string order;
    for (const auto& [number, letter] : take_all(store))
        order += letter;
    BOOST_TEST(order == "zabcd");
}

BOOST_AUTO_TEST_CASE(batches_are_whole_so_that_they_are_sorted)
{
    BOOST_TEST(bool(numbers::whole_batches));
    numbers store{sluice::queue_options{}};
    store.push(1);
    BOOST_TEST(store.available(false) == 1U);
    BOOST_TEST(store.available(true) == 1U);
}

BOOST_AUTO_TEST_CASE(move_only_elements_are_kept)
{
    const sluice::test::counted_fixture elements;
    sluice::priority_store<sluice::test::counted, std::less<>> store{
        sluice::queue_options{}
    };
    for (const int value : {3, 1, 2})
        store.push(sluice::test::counted(value));
    BOOST_TEST(store.pop() == 1);
    BOOST_TEST(elements.holding() == 2);
    BOOST_TEST(store.pop() == 2);
    BOOST_TEST(store.pop() == 3);
}

BOOST_AUTO_TEST_CASE(rendezvous_is_refused)
{
    BOOST_CHECK_EXCEPTION(
        numbers({.capacity = 0, .name = "jobs"}),
        sluice::system_error,
        [](const sluice::system_error& error) {
            return error.code() == sluice::errc::invalid_argument &&
                   std::string(error.what()).find("priority_queue 'jobs'") == 0;
        }
    );
    BOOST_CHECK_NO_THROW(numbers({.capacity = 1}));
}

BOOST_AUTO_TEST_SUITE_END()
