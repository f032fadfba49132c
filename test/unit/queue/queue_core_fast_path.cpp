// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/allocation_counter.hpp"
#include "support/failing_allocator.hpp"
#include "unit/queue/core_driver.hpp"
#include <sluice/queue/shuffle_store.hpp>

#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace test = sluice::test;
using sluice::detail::attempt;

namespace queue_core_fast_path {

using fifo = test::core_driver<>;
using shuffle = test::core_driver<int, sluice::shuffle_store<int>>;

template <class T>
using fifo_of = test::core_driver<T, sluice::fifo_store<T>>;

attempt push(fifo& q, int element)
{
    return q.core().try_push(std::move(element));
}

attempt pop(fifo& q)
{
    std::optional<int> element;
    return q.core().try_pop(element);
}

}  // namespace queue_core_fast_path

BOOST_AUTO_TEST_SUITE(queue_core_fast_path)

BOOST_AUTO_TEST_CASE(element_goes_in_and_out)
{
    fifo q(2);
    BOOST_TEST((push(q, 1) == attempt::done));
    const int copied = 2;
    BOOST_TEST((q.core().try_push(copied) == attempt::done));
    std::optional<int> first;
    std::optional<int> second;
    BOOST_TEST((q.core().try_pop(first) == attempt::done));
    BOOST_TEST((q.core().try_pop(second) == attempt::done));
    BOOST_TEST(first.value() == 1);
    BOOST_TEST(second.value() == 2);
    BOOST_TEST(copied == 2);
}

BOOST_AUTO_TEST_CASE(statistics_count_the_fast_path)
{
    fifo q(2);
    (void)push(q, 1);
    (void)push(q, 2);
    (void)pop(q);
    const auto stats = q.core().stats();
    BOOST_TEST(stats.enqueued == 2U);
    BOOST_TEST(stats.dequeued == 1U);
    BOOST_TEST(stats.high_water == 2U);
}

BOOST_AUTO_TEST_CASE(full_queue_has_to_be_waited_for_and_keeps_nothing)
{
    fifo_of<std::unique_ptr<int>> q(1);
    BOOST_TEST((q.core().try_push(std::make_unique<int>(1)) == attempt::done));
    auto element = std::make_unique<int>(2);
    BOOST_TEST((q.core().try_push(std::move(element)) == attempt::must_wait));
    BOOST_TEST(*element == 2);
}

BOOST_AUTO_TEST_CASE(empty_queue_has_to_be_waited_for)
{
    fifo q(1);
    BOOST_TEST((pop(q) == attempt::must_wait));
}

BOOST_AUTO_TEST_CASE(pending_operation_of_the_other_side_is_served)
{
    fifo full(1);
    full.enqueue("full", {0});
    auto& producer = full.enqueue("waits", {1});
    BOOST_TEST((pop(full) == attempt::done));
    BOOST_TEST(producer.text() == "ok");
    BOOST_TEST(full.core().size() == 1U);

    fifo empty(1);
    auto& consumer = empty.dequeue("waits");
    BOOST_TEST((push(empty, 7) == attempt::done));
    BOOST_TEST(consumer.text() == "7");
    BOOST_TEST(empty.core().size() == 0U);
}

BOOST_AUTO_TEST_CASE(putting_back_what_the_fast_path_gave_to_a_batch_does_not_allocate
)  // Q4
{
    fifo q(1);
    auto& batch = q.dequeue_many("batch", 100);
    for (int i = 0; i < 50; ++i)
        BOOST_TEST((push(q, i) == attempt::done));
    BOOST_TEST(batch.held() == 50U);
    test::allocation_budget none(0);
    {
        const test::failing_new region(none);
        q.core().forget(batch);
    }
    BOOST_TEST(!none.failed());
    BOOST_TEST(q.core().size() == 50U);
}

BOOST_AUTO_TEST_CASE(fast_path_without_memory_for_putting_back_takes_nothing)  // Q4
{
    fifo q(1);
    q.dequeue_many("batch", 100);
    test::allocation_budget none(0);
    {
        const test::failing_new region(none);
        BOOST_TEST((push(q, 1) == attempt::unclear));
    }
    BOOST_TEST(none.failed());
    BOOST_TEST(q.stats().enqueued == 0U);
}

BOOST_AUTO_TEST_CASE(what_a_shuffle_keeps_back_is_not_available)
{
    shuffle q({.capacity = 4, .min_after_dequeue = 1, .seed = 5, .name = "q"});
    (void)q.core().try_push(1);
    std::optional<int> element;
    BOOST_TEST((q.core().try_pop(element) == attempt::must_wait));
    (void)q.core().try_push(2);
    BOOST_TEST((q.core().try_pop(element) == attempt::done));
}

BOOST_AUTO_TEST_SUITE_END()
