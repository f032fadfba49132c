// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/races.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/coordination/task_info.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

// A thread asks what the tasks wait for, while what they wait for goes in and comes out in parts.
// A report describes an operation without the mutex of its queue, so nothing that it reads may
// change while the operation waits (P9).

namespace reports_race_batches {

using namespace sluice;
using namespace sluice::stress;
using boost::asio::awaitable;

constexpr std::size_t batches = scaled(2000);
constexpr std::size_t batch = 8;  // more than the queue has room for

}  // namespace reports_race_batches

BOOST_AUTO_TEST_SUITE(reports_race_batches)

using namespace ::reports_race_batches;

BOOST_AUTO_TEST_CASE(description_of_a_batch_is_the_same_while_it_goes_in_and_comes_out)
{
    io_context_pool pool{2};
    coordinator tasks{pool};
    fifo_queue<int> numbers{pool, {.capacity = 1, .name = "numbers"}};
    tasks.spawn("producer", [&]() -> awaitable<void> {
        std::vector<int> rows(batch);
        std::iota(rows.begin(), rows.end(), 0);
        for (std::size_t i = 0; i != batches; ++i)
            co_await numbers.enqueue_many(rows);
        numbers.close();
    });
    std::size_t taken = 0;
    tasks.spawn("consumer", [&]() -> awaitable<void> {
        for (std::size_t i = 0; i != batches; ++i)
            taken += (co_await numbers.dequeue_many(batch)).size();
    });

    std::vector<task_info> seen;
    while (!(seen = tasks.tasks()).empty())
        for (const task_info& task : seen)
            require(
                task.waiting_on.empty() ||
                    task.waiting_on == "enqueue_many(8) on queue 'numbers'" ||
                    task.waiting_on == "dequeue_many(8) on queue 'numbers'",
                task.waiting_on
            );
    pool.run(tasks.async_join(boost::asio::use_awaitable));
    BOOST_TEST(taken == batches * batch);
}

BOOST_AUTO_TEST_SUITE_END()
