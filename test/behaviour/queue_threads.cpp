// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Every kind of queue, used from many threads at once (P4): each element leaves once.

#include "behaviour/queue_cases.hpp"
#include "support/run_threads.hpp"
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/padding_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/shuffle_queue.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <mutex>
#include <tuple>
#include <vector>

namespace test = sluice::test;
using test::perform;
using test::range;

namespace queue_threads {

using kinds = std::tuple<
    sluice::fifo_queue<int>,
    sluice::shuffle_queue<int>,
    sluice::priority_queue<int>,
    sluice::padding_queue<std::vector<int>>>;

template <class Queue>
auto hundred(std::size_t from)
{
    const int first = 100 * static_cast<int>(from);
    return test::elements<typename Queue::value_type>(range(first, first + 99));
}

struct threads_fixture
{
    template <class Batch>
    void add(const Batch& batch)
    {
        const std::lock_guard lock(mutex);
        for (const auto& value : batch)
            got.push_back(test::number(value));
    }

    void check_thousand() { BOOST_TEST((test::sorted(got) == range(0, 999))); }

    sluice::io_context_pool pool{4};
    std::mutex mutex;
    std::vector<int> got;  // guarded by mutex while the threads run
};

}  // namespace queue_threads

BOOST_FIXTURE_TEST_SUITE(queue_threads, threads_fixture)

BOOST_AUTO_TEST_CASE_TEMPLATE(many_threads_enqueue, Queue, kinds)
{
    Queue queue{pool, {.capacity = 1000}};
    test::run_threads(10, [&](std::size_t i) {
        for (auto& value : hundred<Queue>(i))
            pool.run(test::enqueue_owned(queue, value));
    });

    add(queue.try_dequeue_many(1000));
    check_thousand();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(many_threads_enqueue_rows_that_must_wait, Queue, kinds)
{
    Queue queue{pool, {.capacity = 100}};
    test::run_threads(11, [&](std::size_t i) {
        if (i < 10)
            pool.run(test::enqueue_many_owned(queue, hundred<Queue>(i)));
        else
            while (got.size() < 1000)
                add(pool.run(perform(queue.dequeue_some(30))));
    });

    check_thousand();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(many_threads_dequeue_in_every_form, Queue, kinds)
{
    Queue queue{pool, {.capacity = 100}};
    test::run_threads(10, [&](std::size_t i) {
        if (i == 0) {
            for (std::size_t k = 0; k < 10; ++k)
                pool.run(test::enqueue_many_owned(queue, hundred<Queue>(k)));
            queue.close();
        } else if (i < 4) {
            while (const auto value = pool.run(perform(queue.next())))
                add(std::vector{*value});
        } else if (i < 7) {
            for (;;) {
                const auto [code, batch] = pool.run(
                    perform(queue.dequeue_up_to(7).as_tuple())
                );
                if (code)
                    return;
                add(batch);
            }
        } else {
            for (int k = 0; k < 3; ++k)
                add(std::get<1>(pool.run(perform(queue.dequeue_many(10).as_tuple()))));
        }
    });

    check_thousand();
}

BOOST_AUTO_TEST_SUITE_END()
