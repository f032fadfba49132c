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
#include <utility>
#include <vector>

// Operations are cancelled on their own thread at the moment at which another thread makes
// them complete: they have happened, or they have not happened, and they say which.

namespace {

using namespace sluice;
using namespace sluice::stress;
using boost::asio::bind_cancellation_slot;

using queue = fifo_queue<std::size_t>;

constexpr std::size_t races = scaled(100'000);

struct fixture
{
    // On this thread: starts an operation, cancels it and runs it to its end, while the
    // other thread does `act`.
    template <class Start, class Act, class Check>
    void race(Start start, Act act, Check check)
    {
        std::jthread other([&] {
            dice chance(1);
            for (std::size_t number = 0; starter_.await(number + 1); ++number) {
                dawdle(chance, 100);
                act(number);
                acted_.store(number + 1, std::memory_order_release);
            }
        });
        const starter_guard guard(starter_);
        dice chance(2);
        for (std::size_t number = 0; number < races; ++number) {
            start(number);
            starter_.begin(number + 1);
            dawdle(chance, 200);
            signal.emit(boost::asio::cancellation_type::partial);
            while (acted_.load(std::memory_order_acquire) <= number)
                std::this_thread::yield();
            ctx.restart();
            ctx.run();
            check(number);
        }
    }

    boost::asio::io_context ctx;
    boost::asio::cancellation_signal signal;

private:
    starter starter_;
    std::atomic<std::size_t> acted_{0};
};

BOOST_FIXTURE_TEST_SUITE(cancel_races_finish, fixture)

BOOST_AUTO_TEST_CASE(a_cancelled_dequeue_has_an_element_or_left_it)
{
    queue q(ctx);
    std::optional<error_code> error;
    std::optional<std::size_t> item;
    race(
        [&](std::size_t) {
            error.reset();
            q.async_dequeue(bind_cancellation_slot(
                signal.slot(),
                [&](error_code e, std::optional<std::size_t> got) {
                    require(!error, "completed twice");
                    error = e;
                    item = got;
                }
            ));
        },
        [&](std::size_t number) { require(q.try_enqueue(std::size_t{number}), "full"); },
        [&](std::size_t number) {
            require(error.has_value(), "not completed");
            require(error->failed() != item.has_value(), "an error and an element, or neither");
            if (!item)
                item = q.try_dequeue();
            require(item == number, "the element is not there");
        }
    );
    BOOST_TEST(q.size() == 0u);
}

BOOST_AUTO_TEST_CASE(a_cancelled_batch_is_whole_or_left_in_order)
{
    queue q(ctx);
    std::optional<error_code> error;
    std::vector<std::size_t> batch;
    race(
        [&](std::size_t number) {
            error.reset();
            require(q.try_enqueue(2 * number), "full");
            q.async_dequeue_many(
                2,
                bind_cancellation_slot(
                    signal.slot(),
                    [&](error_code e, std::vector<std::size_t> got) {
                        error = e;
                        batch = std::move(got);
                    }
                )
            );
        },
        [&](std::size_t number) { require(q.try_enqueue(2 * number + 1), "full"); },
        [&](std::size_t number) {
            require(error.has_value(), "not completed");
            require(error->failed() == batch.empty(), "an error and elements, or neither");
            if (batch.empty())
                batch = q.try_dequeue_many(3);
            require(batch == std::vector{2 * number, 2 * number + 1}, "not those two in order");
        }
    );
    BOOST_TEST(q.size() == 0u);
}

BOOST_AUTO_TEST_CASE(a_cancelled_enqueue_is_in_or_out)
{
    queue q(ctx, {.capacity = 1});
    BOOST_TEST(q.try_enqueue(0));
    std::optional<error_code> error;
    std::optional<std::size_t> taken;
    race(
        [&](std::size_t number) {
            error.reset();
            q.async_enqueue(
                number + 1,
                bind_cancellation_slot(signal.slot(), [&](error_code e) { error = e; })
            );
        },
        [&](std::size_t) { taken = q.try_dequeue(); },
        [&](std::size_t number) {
            require(error.has_value(), "not completed");
            require(taken == number, "the element before is not there");
            require(q.size() == (*error ? 0u : 1u), "the report and the queue disagree");
            if (*error)
                require(q.try_enqueue(number + 1), "full");
        }
    );
    BOOST_TEST(q.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_cancelled_enqueue_many_counts_what_went_in)
{
    queue q(ctx, {.capacity = 1});
    std::array<std::size_t, 3> rows{};
    std::optional<error_code> error;
    std::size_t accepted = 0;
    std::vector<std::size_t> taken;
    race(
        [&](std::size_t number) {
            error.reset();
            rows = {3 * number, 3 * number + 1, 3 * number + 2};
            q.async_enqueue_many(
                rows,
                bind_cancellation_slot(
                    signal.slot(),
                    [&](error_code e, std::size_t count) {
                        error = e;
                        accepted = count;
                    }
                )
            );
        },
        [&](std::size_t) {
            taken.clear();
            for (int i = 0; i < 2; ++i)
                if (const auto item = q.try_dequeue())
                    taken.push_back(*item);
        },
        [&](std::size_t number) {
            while (const auto item = q.try_dequeue())
                taken.push_back(*item);
            require(error.has_value(), "not completed");
            require(error->failed() == (accepted < 3), "the error and the count disagree");
            require(taken.size() == accepted, "the count and the queue disagree");
            for (std::size_t i = 0; i < taken.size(); ++i)
                require(taken[i] == 3 * number + i, "not in order");
        }
    );
    BOOST_TEST(q.size() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
