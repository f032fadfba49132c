// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/races.hpp"
#include <sluice/error_code.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <thread>
#include <vector>

// Operations are cancelled on their own thread at the moment at which another thread makes
// them complete: they have happened, or they have not happened, and they say which.

namespace cancel_races_finish {

using namespace sluice;
using namespace sluice::stress;

using queue = fifo_queue<std::size_t>;

constexpr std::size_t rounds = scaled(2000);
constexpr std::size_t group = 64;  // operations of a round
constexpr std::size_t rows = 3;    // of each batch

struct fixture
{
    // What an operation of the round came to.
    struct outcome
    {
        boost::asio::cancellation_signal signal;
        bool completed = false;
        error_code error;
        std::vector<std::size_t> numbers;
        std::size_t accepted = 0;
    };

    // On this thread: starts the operations of a round, cancels them one after the other and
    // runs them to their end. On the other: calls `act` as many times, meanwhile.
    template <class Start, class Act, class Check>
    void race(Start start, Act act, Check check)
    {
        starter begun;
        std::atomic<std::size_t> entered = 0;
        std::atomic<std::size_t> acted = 0;
        std::jthread other([&] {
            dice chance(1);
            for (std::size_t round = 1; begun.await(round); ++round) {
                entered = round;
                for (std::size_t i = 0; i < group; ++i) {
                    dawdle(chance, 100);
                    act(i);
                }
                acted = round;
                acted.notify_all();
            }
        });
        struct ending
        {
            starter& begun;
            ~ending() { begun.end(); }
        } const guard{begun};
        dice chance(2);
        for (std::size_t round = 1; round <= rounds; ++round) {
            outcomes = std::vector<outcome>(group);
            for (std::size_t i = 0; i < group; ++i)
                start(i, outcomes[i]);
            begun.begin(round);
            // to be woken up would take longer than the round
            while (entered != round)
                std::this_thread::yield();
            for (outcome& one : outcomes) {
                dawdle(chance, 100);
                one.signal.emit(boost::asio::cancellation_type::partial);
            }
            for (std::size_t seen = acted; seen != round; seen = acted)
                acted.wait(seen);
            ctx.restart();
            ctx.run();
            for (const outcome& one : outcomes) {
                require(one.completed, "an operation has not completed");
                failed += one.error ? 1U : 0U;
            }
            check();
        }
        BOOST_TEST_MESSAGE(
            failed << " of " << rounds * group << " were cancelled in time"
        );
        BOOST_TEST(q->size() == 0U);
        const queue_stats stats = q->stats();
        BOOST_TEST(stats.waiting_consumers + stats.waiting_producers == 0U);
    }

    template <class Handler>
    static auto bound(outcome& to, Handler handler)
    {
        return boost::asio::bind_cancellation_slot(to.signal.slot(), handler);
    }

    static void note(outcome& to, error_code error)
    {
        require(!to.completed, "an operation has completed twice");
        to.completed = true;
        to.error = error;
    }

    // What is left in the queue, and what the operations got, is 0 to count - 1.
    void check_attendance(std::size_t count)
    {
        attendance seen(count);
        for (const outcome& one : outcomes) {
            require(
                one.error.failed() == one.numbers.empty(),
                "error and elements, or neither"
            );
            for (const std::size_t number : one.numbers)
                seen.note(number);
        }
        while (const auto number = q->try_dequeue())
            seen.note(*number);
        require(seen.missing() == 0, "elements are missing");
    }

    void make_queue(std::size_t capacity)
    {
        q.emplace(ctx, queue_options{.capacity = capacity});
    }

    boost::asio::io_context ctx;
    std::optional<queue> q;
    std::vector<outcome> outcomes;
    std::size_t failed = 0;
};

}  // namespace cancel_races_finish

BOOST_FIXTURE_TEST_SUITE(cancel_races_finish, fixture)

BOOST_AUTO_TEST_CASE(a_cancelled_dequeue_has_an_element_or_left_it)
{
    make_queue(unbounded);
    race(
        [&](std::size_t, outcome& to) {
            q->async_dequeue(bound(
                to,
                [&to](error_code e, std::optional<std::size_t> got) {
                    note(to, e);
                    if (got)
                        to.numbers.push_back(*got);
                }
            ));
        },
        [&](std::size_t i) { require(q->try_enqueue(std::size_t{i}), "full"); },
        [&] { check_attendance(group); }
    );
}

BOOST_AUTO_TEST_CASE(a_cancelled_batch_is_whole_or_left)
{
    make_queue(unbounded);
    race(
        [&](std::size_t, outcome& to) {
            q->async_dequeue_many(
                rows,
                bound(
                    to,
                    [&to](error_code e, const std::vector<std::size_t>& got) {
                        note(to, e);
                        require(e || got.size() == rows, "a short batch");
                        to.numbers = got;
                    }
                )
            );
        },
        [&](std::size_t i) {
            for (std::size_t row = 0; row < rows; ++row)
                require(q->try_enqueue(rows * i + row), "full");
        },
        [&] { check_attendance(rows * group); }
    );
}

BOOST_AUTO_TEST_CASE(a_cancelled_enqueue_is_in_or_out)
{
    make_queue(1);
    std::vector<std::size_t> taken;
    race(
        [&](std::size_t i, outcome& to) {
            q->async_enqueue(i, bound(to, [&to](error_code e) { note(to, e); }));
        },
        [&](std::size_t) {
            if (const auto number = q->try_dequeue())
                taken.push_back(*number);
        },
        [&] {
            while (const auto number = q->try_dequeue())
                taken.push_back(*number);
            std::vector<std::size_t> expected;
            for (std::size_t i = 0; i < group; ++i)
                if (!outcomes[i].error)
                    expected.push_back(i);
            require(
                taken == expected,
                "what went in is not what was reported in, in order"
            );
            taken.clear();
        }
    );
}

BOOST_AUTO_TEST_CASE(a_cancelled_enqueue_many_counts_what_went_in)
{
    make_queue(1);
    std::vector<std::array<std::size_t, rows>> elements(group);
    std::vector<std::size_t> taken;
    race(
        [&](std::size_t i, outcome& to) {
            for (std::size_t row = 0; row < rows; ++row)
                elements[i][row] = rows * i + row;
            q->async_enqueue_many(
                elements[i],
                bound(
                    to,
                    [&to](error_code e, std::size_t count) {
                        note(to, e);
                        to.accepted = count;
                    }
                )
            );
        },
        [&](std::size_t) {
            for (std::size_t row = 0; row < rows; ++row)
                if (const auto number = q->try_dequeue())
                    taken.push_back(*number);
        },
        [&] {
            while (const auto number = q->try_dequeue())
                taken.push_back(*number);
            std::vector<std::size_t> expected;
            for (std::size_t i = 0; i < group; ++i) {
                const std::size_t count = outcomes[i].accepted;
                require(
                    outcomes[i].error.failed() == (count < rows),
                    "the error and the count disagree"
                );
                for (std::size_t row = 0; row < count; ++row)
                    expected.push_back(rows * i + row);
            }
            require(
                taken == expected,
                "what went in is not what was reported in, in order"
            );
            taken.clear();
        }
    );
}

BOOST_AUTO_TEST_SUITE_END()
