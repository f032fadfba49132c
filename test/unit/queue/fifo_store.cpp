// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/fifo_store.hpp>

#include "support/allocation_counter.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace fifo_store {

using store_type = sluice::fifo_store<int>;

}  // namespace fifo_store

BOOST_AUTO_TEST_SUITE(fifo_store)

BOOST_AUTO_TEST_CASE(first_in_is_first_out)
{
    store_type store{sluice::queue_options{.capacity = sluice::unbounded}};
    for (int i = 0; i < 5; ++i)
        store.push(int(i));
    for (int i = 0; i < 5; ++i)
        BOOST_TEST(store.pop() == i);
    BOOST_TEST(store.size() == 0U);
}

BOOST_AUTO_TEST_CASE(returned_element_is_the_next)
{
    store_type store{sluice::queue_options{.capacity = sluice::unbounded}};
    store.push(2);
    store.push(3);
    store.put_back(1);
    store.put_back(0);
    for (int i = 0; i < 4; ++i)
        BOOST_TEST(store.pop() == i);
}

BOOST_AUTO_TEST_CASE(order_survives_growth_and_wrap_around)
{
    store_type store{sluice::queue_options{.capacity = sluice::unbounded}};
    int next_in = 0;
    int next_out = 0;
    for (int round = 0; round < 40; ++round) {
        for (int i = 0; i < 5; ++i)
            store.push(int(next_in++));
        for (int i = 0; i < 3; ++i)
            BOOST_TEST(store.pop() == next_out++);
    }
    BOOST_TEST(store.size() == 80U);
    while (store.size() > 0)
        BOOST_TEST(store.pop() == next_out++);
}

BOOST_AUTO_TEST_CASE(everything_is_available_open_or_closed)
{
    store_type store{sluice::queue_options{.capacity = sluice::unbounded}};
    store.push(1);
    BOOST_TEST(store.available(false) == 1U);
    BOOST_TEST(store.available(true) == 1U);
}

BOOST_AUTO_TEST_CASE(memory_is_kept_so_that_steady_traffic_does_not_allocate)
{
    store_type store{sluice::queue_options{.capacity = sluice::unbounded}};
    for (int i = 0; i < 10; ++i)
        store.push(int(i));
    const sluice::test::allocation_counter counter;
    for (int i = 0; i < 100; ++i) {
        (void)store.pop();
        store.push(int(i));
    }
    counter.check_none();
}

BOOST_AUTO_TEST_CASE(reserved_room_is_enough_for_putting_back)
{
    store_type store{sluice::queue_options{.capacity = sluice::unbounded}};
    store.reserve(20);
    const sluice::test::allocation_counter counter;
    for (int i = 0; i < 20; ++i)
        store.put_back(int(i));
    counter.check_none();
    BOOST_TEST(store.pop() == 19);
}

BOOST_AUTO_TEST_SUITE_END()
