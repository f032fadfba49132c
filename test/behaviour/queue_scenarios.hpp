// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "behaviour/queue_cases.hpp"
#include "support/run_threads.hpp"
#include <sluice/close_mode.hpp>
#include <sluice/coordination/coordinator.hpp>
#include <sluice/io_context_pool.hpp>

#include <mutex>
#include <numeric>
#include <random>

namespace sluice::test {

// Why: several kinds of queue have a case in common. Each scenario here takes the type of
// the queue and works with numbers; `element` and `number` know how a queue carries them.
// What depends on the order of the elements is compared as a multiset.

/// Values that several threads collect.
class collected
{
public:
    void add(const std::vector<int>& values)
    {
        const std::lock_guard lock(mutex_);
        values_.insert(values_.end(), values.begin(), values.end());
    }

    [[nodiscard]] std::vector<int> in_order() const { return sorted(values_); }

private:
    std::mutex mutex_;
    std::vector<int> values_;  // guarded by mutex_ while the threads run
};

/// 0, 10, ..., 990, each `times` times, in ascending order.
inline std::vector<int> hundred_values(int times)
{
    std::vector<int> result;
    for (int i = 0; i < 100; ++i)
        result.insert(result.end(), static_cast<std::size_t>(times), 10 * i);
    return result;
}

/// Ten threads enqueue one element each.
template <class Queue>
void parallel_enqueue()
{
    using element_type = typename Queue::value_type;
    io_context_pool pool{4};
    Queue queue{pool, {.capacity = 10}};
    run_threads(10, [&](std::size_t i) {
        pool.run(enqueue_owned(queue, element<element_type>(10 * static_cast<int>(i + 1)))
        );
    });
    BOOST_TEST(queue.size() == 10U);
    std::vector<int> got;
    for (int i = 0; i < 10; ++i)
        got.push_back(number(pool.run(perform(queue.dequeue()))));
    BOOST_TEST(sorted(got) == tens(10));
}

/// Ten threads dequeue one element each.
template <class Queue>
void parallel_dequeue()
{
    using element_type = typename Queue::value_type;
    io_context_pool pool{4};
    Queue queue{pool, {.capacity = 10}};
    pool.run(enqueue_many_owned(queue, elements<element_type>(tens(10))));
    collected got;
    run_threads(10, [&] { got.add({number(pool.run(perform(queue.dequeue())))}); });
    BOOST_TEST(got.in_order() == tens(10));
    BOOST_TEST(queue.size() == 0U);
}

/// Ten threads enqueue the same 100 values each.
template <class Queue>
void parallel_enqueue_many()
{
    using element_type = typename Queue::value_type;
    io_context_pool pool{4};
    Queue queue{pool, {.capacity = 1000}};
    run_threads(10, [&] {
        pool.run(enqueue_many_owned(queue, elements<element_type>(hundred_values(1))));
    });
    const auto batch = pool.run(perform(queue.dequeue_many(1000)));
    BOOST_TEST(sorted(numbers(batch)) == hundred_values(10));
}

/// Ten threads take 100 of 1000 values each.
template <class Queue>
void parallel_dequeue_many()
{
    using element_type = typename Queue::value_type;
    io_context_pool pool{4};
    Queue queue{pool, {.capacity = 1000}};
    pool.run(enqueue_many_owned(queue, elements<element_type>(range(0, 999))));
    collected got;
    run_threads(10, [&] {
        got.add(numbers(pool.run(perform(queue.dequeue_many(100)))));
    });
    BOOST_TEST(got.in_order() == range(0, 999));
}

/// Ten threads take up to 100 of 1000 values each from an open queue.
template <class Queue>
void parallel_dequeue_up_to_open()
{
    using element_type = typename Queue::value_type;
    io_context_pool pool{4};
    Queue queue{pool, {.capacity = 1000}};
    pool.run(enqueue_many_owned(queue, elements<element_type>(range(0, 999))));
    collected got;
    run_threads(10, [&] {
        got.add(numbers(pool.run(perform(queue.dequeue_up_to(100)))));
    });
    BOOST_TEST(got.in_order() == range(0, 999));
}

/// Ten threads take up to 101 of 1000 values each from a closed queue.
template <class Queue>
void parallel_dequeue_up_to_closed()
{
    using element_type = typename Queue::value_type;
    io_context_pool pool{4};
    Queue queue{pool, {.capacity = 1000}};
    pool.run(enqueue_many_owned(queue, elements<element_type>(range(0, 999))));
    queue.close();
    collected got;
    run_threads(10, [&] {
        got.add(numbers(pool.run(perform(queue.dequeue_up_to(101)))));
    });
    BOOST_TEST(got.in_order() == range(0, 999));
    BOOST_TEST(queue.size() == 0U);
}

/// Ten threads take counts that add up to what is stored.
template <class Queue>
void parallel_dequeue_up_to_random_partition(unsigned seed)
{
    using element_type = typename Queue::value_type;
    std::mt19937 random{seed};
    std::vector<std::size_t> sizes;
    for (int i = 0; i < 10; ++i)
        sizes.push_back(50 + random() % 101);
    const auto total = std::reduce(sizes.begin(), sizes.end());

    io_context_pool pool{4};
    Queue queue{pool, {.capacity = total}};
    const auto all = range(0, static_cast<int>(total) - 1);
    pool.run(enqueue_many_owned(queue, elements<element_type>(all)));
    collected got;
    run_threads(10, [&](std::size_t i) {
        got.add(numbers(pool.run(perform(queue.dequeue_up_to(sizes[i])))));
    });
    BOOST_TEST(got.in_order() == all);
}

/// A consumer waits for each of three elements that a producer on another thread brings.
template <class Queue>
void blocking_dequeue_across_threads()
{
    using element_type = typename Queue::value_type;
    io_context_pool pool{2};
    Queue queue{pool, {.capacity = 3}};
    std::vector<int> got;
    run_threads(2, [&](std::size_t i) {
        for (int step = 1; step <= 3; ++step) {
            if (i == 0)
                got.push_back(number(pool.run(perform(queue.dequeue()))));
            else
                pool.run(enqueue_owned(queue, element<element_type>(10 * step)));
        }
    });
    BOOST_TEST(got == tens(3));
}

/// Counts in one queue say how many elements to take from another.
template <class Queue>
void batches_of_sizes_from_a_queue(unsigned seed)
{
    using element_type = typename Queue::value_type;
    queue_fixture io;
    std::mt19937 random{seed};
    std::vector<int> counts;
    std::vector<int> values;
    for (int i = 0; i < 100; ++i) {
        counts.push_back(static_cast<int>(1 + random() % 10));
        for (int k = 0; k < counts.back(); ++k)
            values.push_back(static_cast<int>(random() % 100));
    }
    Queue count_queue{io.ctx, {.capacity = 100}};
    Queue value_queue{io.ctx, {.capacity = values.size()}};
    io.fill(count_queue, elements<element_type>(counts));
    io.fill(value_queue, elements<element_type>(values));

    std::vector<int> got;
    for (const int expected : counts) {
        const int count = number(io.get(count_queue.dequeue()));
        BOOST_TEST(count == expected);
        const auto batch = io.get(value_queue.dequeue_many(static_cast<std::size_t>(count)
        ));
        got = joined(got, numbers(batch));
    }
    BOOST_TEST(got == values);
    BOOST_TEST(value_queue.size() == 0U);
}

/// One blocked operation of each kind ends when its scope is stopped.
template <class Queue>
void stop_ends_blocked_operations()
{
    using element_type = typename Queue::value_type;
    queue_fixture io;
    Queue empty{io.ctx, {.capacity = 5}};
    Queue full{io.ctx, {.capacity = 5}};
    io.fill(full, elements<element_type>(tens(5)));
    const auto extra = element<element_type>(60);
    auto rows = elements<element_type>({70, 80});

    coordinator scope{io.ctx};
    std::vector<error_code> codes;
    scope.spawn("dequeue", note_code(empty.dequeue().as_tuple(), codes));
    scope.spawn("dequeue_many", note_code(empty.dequeue_many(1).as_tuple(), codes));
    scope.spawn("dequeue_up_to", note_code(empty.dequeue_up_to(1).as_tuple(), codes));
    scope.spawn("enqueue", note_code(stored(full.enqueue(extra).as_tuple()), codes));
    scope.spawn(
        "enqueue_many",
        note_code(stored(full.enqueue_many(rows).as_tuple()), codes)
    );
    io.run();
    BOOST_TEST(codes.empty());

    scope.request_stop();
    io.get(scope.join());
    const error_code aborted = asio::error::operation_aborted;
    BOOST_TEST(codes == std::vector<error_code>(5, aborted));
    BOOST_TEST(full.size() == 5U);
    BOOST_TEST(sorted(numbers(io.get(full.dequeue_many(5)))) == tens(5));

    // the queues outlive the stop
    io.put(empty, element<element_type>(90));
    BOOST_TEST(number(io.get(empty.dequeue())) == 90);
}

/// What each dequeue operation on a queue reports that is closed while it waits.
template <class Queue>
void closing_ends_waiting_consumers(typename Queue::options_type options)
{
    for (const auto mode : {close_mode::drain, close_mode::cancel_pending}) {
        BOOST_TEST_CONTEXT("close mode " << static_cast<int>(mode))
        {
            queue_fixture io;
            Queue queue{io.ctx, options};
            const auto one = io.start(queue.dequeue());
            const auto next = io.start(queue.next());
            const auto many = io.start(queue.dequeue_many(4));
            const auto up_to = io.start(queue.dequeue_up_to(4));
            const auto some = io.start(queue.dequeue_some(4));
            one.check_pending();
            next.check_pending();
            many.check_pending();
            up_to.check_pending();
            some.check_pending();

            queue.close(mode);
            io.run();
            one.check_error(errc::end_of_queue);
            BOOST_TEST(!next.result().has_value());
            many.check_error(errc::end_of_queue);
            up_to.check_error(errc::end_of_queue);
            some.check_error(errc::end_of_queue);
        }
    }
}

}  // namespace sluice::test
