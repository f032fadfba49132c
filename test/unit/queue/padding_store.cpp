// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/padding_store.hpp>

#include "support/printing.hpp"

#include <boost/test/unit_test.hpp>

#include <concepts>
#include <vector>

BOOST_AUTO_TEST_SUITE(padding_store)

BOOST_AUTO_TEST_CASE(rows_are_stored_as_they_came_and_padded_in_batches)
{
    using row = std::vector<int>;
    using store_type = sluice::padding_store<row>;
    static_assert(std::same_as<store_type::batch_type, sluice::padded_batch<row>>);
    static_assert(!store_type::whole_batches);
    store_type store{sluice::queue_options{.capacity = sluice::unbounded}};
    store.push({1});
    store.push({2, 3});
    BOOST_TEST(store.size() == 2U);
    BOOST_TEST(store.pop() == row{1});
    store.put_back({0});
    BOOST_TEST(store.pop() == row{0});
    BOOST_TEST(store.pop() == (row{2, 3}));
}

BOOST_AUTO_TEST_SUITE_END()
