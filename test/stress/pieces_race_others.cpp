// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/races.hpp"
#include "support/run_threads.hpp"
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/task/sync_wait.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

// Batches of thousands of elements go in and out in pieces (S57), while others use the queue.
// No element is lost, and those of a batch stay together.

namespace pieces_race_others {

using namespace sluice;
using namespace sluice::stress;

constexpr std::size_t rows_of_batch = 3000;

struct row
{
    int batch;
    std::size_t number;
};

using queue = fifo_queue<row>;

std::vector<row> make_batch(int batch)
{
    std::vector<row> rows;
    for (std::size_t i = 0; i < rows_of_batch; ++i)
        rows.push_back({batch, i});
    return rows;
}

// Takes all in batches of any size and says how many rows followed their own.
std::size_t take_all(queue& q, dice& chance)
{
    std::size_t count = 0;
    row last{-1, rows_of_batch - 1};
    try {
        for (;;) {
            for (const row& next : sync_wait(q.dequeue_some(1 + chance.below(5000)))) {
                const bool follows = next.batch == last.batch
                                         ? next.number == last.number + 1
                                         : next.number == 0;
                require(follows, "a row came between those of a batch");
                last = next;
                ++count;
            }
        }
    } catch (const system_error& end) {
        require(end.code() == errc::end_of_queue, "the queue ended otherwise");
    }
    return count;
}

}  // namespace pieces_race_others

BOOST_AUTO_TEST_SUITE(pieces_race_others)

BOOST_AUTO_TEST_CASE(rows_of_batches_stay_together_and_none_is_lost)
{
    boost::asio::io_context io;
    for (const std::size_t capacity : {std::size_t{1000}, unbounded}) {
        constexpr int producers = 2;
        const int batches = static_cast<int>(scaled(100));
        queue q(io, {.capacity = capacity});
        std::atomic<int> feeding{producers};
        std::atomic<std::size_t> in{0};
        std::atomic<std::size_t> out{0};
        std::atomic<std::size_t> looks{0};
        sluice::test::run_threads(producers + 2, [&](std::size_t index) {
            dice chance(index);
            if (index < producers) {
                for (int i = 0; i < batches; ++i) {
                    auto rows = make_batch(static_cast<int>(index) * batches + i);
                    in += chance.below(2) == 0
                              ? sync_wait(q.enqueue_many(rows))
                              : sync_wait(q.enqueue_many(std::span(rows).first(1)));
                }
                if (--feeding == 0)
                    q.close();
            } else if (index == producers) {
                out = take_all(q, chance);
            } else {
                while (feeding > 0) {
                    const auto now = q.stats();
                    require(
                        now.enqueued + now.returned == now.dequeued + now.size + now.held,
                        "an element is counted twice, or not at all"
                    );
                    q.shrink_to_fit();
                    ++looks;
                }
            }
        });
        BOOST_TEST(in.load() == out.load());
        BOOST_TEST(q.size() == 0U);
    }
}

BOOST_AUTO_TEST_CASE(batches_that_are_cancelled_say_how_many_rows_are_in)
{
    boost::asio::io_context io;
    const int batches = static_cast<int>(scaled(200));
    queue q(io, {.capacity = unbounded});
    std::atomic<bool> is_over{false};
    std::size_t in = 0;
    std::size_t dropped = 0;
    std::size_t taken = 0;
    sluice::test::run_threads(3, [&](std::size_t index) {
        if (index == 0) {
            for (int i = 0; i < batches; ++i) {
                auto rows = make_batch(i);
                in += q.try_enqueue_many(rows);
            }
            is_over = true;
        } else if (index == 1) {
            while (!is_over)
                q.cancel();
        } else {
            for (bool clears = false; !is_over; clears = !clears) {
                if (clears)
                    dropped += q.clear();
                else
                    taken += q.try_dequeue_many(5000).size();
            }
        }
    });
    BOOST_TEST(in == dropped + taken + q.size());
    BOOST_TEST(q.dropped() == dropped);
}

BOOST_AUTO_TEST_SUITE_END()
