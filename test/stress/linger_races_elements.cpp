// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/races.hpp"
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <thread>

// Batches that linger for about as long as the next element takes to come: the timer that ends a
// batch races with the element that fills it, and the limit of the wait for the first element
// with that element. Another thread sends numbers in order; they must arrive in order, none
// missing and none twice, and no batch may be empty.

namespace linger_races_elements {

using namespace sluice;
using namespace sluice::stress;
using boost::asio::awaitable;

struct fixture
{
    // The number of batches that the timer ended early.
    std::size_t take_all(std::size_t count, std::chrono::microseconds first)
    {
        std::size_t ended_by_timer = 0;
        std::atomic<bool> given_up = false;
        std::jthread producer([&] {
            dice chance(1);
            for (std::size_t number = 0; number < count; ++number) {
                dawdle(chance, 3000);
                if (!push(queue, number, given_up))
                    break;
            }
        });
        pool.run([&]() -> awaitable<void> {
            const flag_on_exit guard(given_up);
            dice chance(2);
            for (std::size_t next = 0; next < count;) {
                const std::chrono::microseconds linger(chance.below(40));
                auto [error, batch] =
                    co_await queue.dequeue_up_to(4).linger(linger).within(first).as_tuple(
                    );
                if (error == errc::timed_out)
                    continue;
                require(!error && !batch.empty(), "a batch is empty: " + error.message());
                if (batch.size() < 4)
                    ++ended_by_timer;
                for (const std::size_t number : batch) {
                    require(
                        number == next,
                        std::to_string(number) + " came in the place of " +
                            std::to_string(next)
                    );
                    ++next;
                }
            }
        });
        BOOST_TEST(queue.size() == 0U);
        BOOST_TEST(queue.stats().enqueued == count);
        BOOST_TEST(queue.stats().dequeued == count);
        return ended_by_timer;
    }

    io_context_pool pool{2};
    fifo_queue<std::size_t> queue{pool, {.capacity = 2}};
};

}  // namespace linger_races_elements

BOOST_FIXTURE_TEST_SUITE(linger_races_elements, fixture)

BOOST_AUTO_TEST_CASE(the_end_of_the_time_and_the_last_element)
{
    BOOST_TEST_MESSAGE(
        take_all(scaled(40'000), std::chrono::hours(1)) << " ended by the timer"
    );
}

BOOST_AUTO_TEST_CASE(the_limit_of_the_wait_and_the_first_element)
{
    BOOST_TEST_MESSAGE(
        take_all(scaled(40'000), std::chrono::microseconds(20)) << " ended by the timer"
    );
}

BOOST_AUTO_TEST_SUITE_END()
