// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/fifo_store.hpp>

#include "support/allocation_counter.hpp"

#include <boost/test/unit_test.hpp>

namespace fifo_store {

using store_type = sluice::fifo_store<int>;

}  // namespace fifo_store

BOOST_AUTO_TEST_SUITE(fifo_store)

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
