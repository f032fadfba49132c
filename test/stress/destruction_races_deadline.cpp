// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/races.hpp"
#include "support/foreign_task.hpp"
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <future>
#include <stop_token>
#include <thread>

// The owner of a suspended frame destroys it, on its strand, at the moment when the deadline
// of the operation passes, or is set, on another thread.

namespace destruction_races_deadline {

using namespace sluice;
using namespace sluice::stress;
using namespace std::chrono_literals;
using test::foreign_task;

using clock = std::chrono::steady_clock;
using queue = fifo_queue<int>;

foreign_task<> take_one(queue& q)
{
    (void)co_await q.dequeue().within(60us).as_tuple();
}

foreign_task<> take_either(queue& a, queue& b)
{
    (void)co_await select(a.dequeue(), b.dequeue()).within(60us).as_tuple();
}

foreign_task<> take_batch(queue& q)
{
    (void)co_await q.dequeue_up_to(3).linger(1s).as_tuple();
}

struct strand_fixture
{
    // Starts a task and destroys it a little later, again and again.
    template <class Make>
    void race(Make make)
    {
        dice chance(1);
        for (std::size_t i = 0; i < 10'000; ++i) {
            std::promise<void> destroyed;
            boost::asio::post(strand, [&] {
                auto task = make();
                task.start();
                const auto end = clock::now() + 55us + chance.below(60'000) * 1ns;
                while (clock::now() < end) {}
                task.destroy();
                destroyed.set_value();
            });
            destroyed.get_future().get();
        }
        BOOST_TEST(a.stats().waiting_consumers + b.stats().waiting_consumers == 0U);
    }

    io_context_pool pool{2};
    boost::asio::any_io_executor strand{boost::asio::make_strand(pool.context())};
    queue a{strand, {.capacity = sluice::unbounded}};
    queue b{strand, {.capacity = sluice::unbounded}};
};

}  // namespace destruction_races_deadline

BOOST_FIXTURE_TEST_SUITE(destruction_races_deadline, strand_fixture)

BOOST_AUTO_TEST_CASE(frame_that_waits_on_a_queue)
{
    race([this] { return take_one(a); });
}

BOOST_AUTO_TEST_CASE(frame_that_waits_on_a_select)
{
    race([this] { return take_either(a, b); });
}

// Its time is set by the producer of the first element.
BOOST_AUTO_TEST_CASE(frame_whose_batch_begins_to_linger)
{
    const std::jthread producer([this](const std::stop_token& stop) {
        dice chance(2);
        while (!stop.stop_requested()) {
            dawdle(chance, 3000);
            if (a.size() == 0)
                (void)a.try_enqueue(1);
            else
                (void)a.try_dequeue();
        }
    });
    race([this] { return take_batch(a); });
}

BOOST_AUTO_TEST_SUITE_END()
