// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/races.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

// A coordinator is asked to stop, joined and given new tasks at the same time, from several
// threads: join() comes to an end, all tasks have ended then, and it reports the first error.

namespace stop_races_join {

using namespace sluice;
using namespace sluice::stress;
using boost::asio::awaitable;
using boost::asio::use_future;

constexpr std::size_t races = scaled(3000);

using queue = fifo_queue<std::size_t>;

struct scope
{
    explicit scope(io_context_pool& pool) : coord(pool), q(pool, {.capacity = 1})
    {
        coord.close_on_stop(q);
        spawn("producer", [this]() -> awaitable<void> {
            for (;;)
                co_await q.enqueue(std::size_t{1});
        });
        spawn("consumer", [this]() -> awaitable<void> {
            for (;;)
                (void)co_await q.dequeue();
        });
        spawn("sleeper", [this]() -> awaitable<void> {
            boost::asio::steady_timer timer(coord.get_executor());
            timer.expires_after(patience);
            co_await timer.async_wait(boost::asio::use_awaitable);
        });
        spawn("observer", [this]() -> awaitable<void> {
            co_await coord.wait_for_stop();
        });
    }

    template <class Body>
    void spawn(const char* name, Body body)
    {
        coord.spawn(name, [this, body]() -> awaitable<void> {
            struct counter
            {
                explicit counter(std::atomic<std::size_t>& n) : running(n) { ++running; }
                counter(const counter&) = delete;
                counter& operator=(const counter&) = delete;
                ~counter() { --running; }
                std::atomic<std::size_t>& running;
            } const counted(running);
            co_await body();
        });
    }

    coordinator coord;
    queue q;
    std::atomic<std::size_t> running{0};
};

void wait_for(std::future<void>& joined)
{
    require(joined.wait_for(patience) == std::future_status::ready, "join() hangs");
}

}  // namespace stop_races_join

BOOST_AUTO_TEST_SUITE(stop_races_join)

BOOST_AUTO_TEST_CASE(stop_and_join_at_once)
{
    io_context_pool pool(2);
    dice chance(1);
    std::size_t clean = 0;
    for (std::size_t i = 0; i < races; ++i) {
        scope s(pool);
        dawdle(chance, 2000);
        std::future<void> joined;
        if (i % 2 == 0)
            joined = s.coord.async_join(use_future);
        std::jthread stopper([&] { s.coord.request_stop(); });
        if (i % 2 != 0)
            joined = s.coord.async_join(use_future);
        wait_for(joined);
        joined.get();
        stopper.join();
        require(s.running == 0, "a task runs after join()");
        require(s.coord.tasks().empty(), "a task is listed after join()");
        ++clean;
    }
    BOOST_TEST(clean == races);
}

BOOST_AUTO_TEST_CASE(two_errors_at_once)
{
    io_context_pool pool(2);
    std::size_t reported = 0;
    for (std::size_t i = 0; i < races; ++i) {
        scope s(pool);
        // After the join has completed, an error is raised to the caller that asks for a stop with
        // it.
        const auto fail = [&](const char* text) {
            try {
                s.coord.request_stop(std::make_exception_ptr(std::runtime_error(text)));
            } catch (const std::runtime_error&) {
            }
        };
        auto joined = s.coord.async_join(use_future);
        std::jthread one([&] { fail("one"); });
        std::jthread two([&] { fail("two"); });
        wait_for(joined);
        try {
            joined.get();
        } catch (const std::runtime_error& error) {
            reported += std::string("one two").find(error.what()) != std::string::npos
                            ? 1U
                            : 0U;
        }
        one.join();
        two.join();
        require(s.running == 0, "a task runs after join()");
    }
    BOOST_TEST(reported == races);
}

// What is spawned before the stop is waited for; afterwards spawn() refuses.
BOOST_AUTO_TEST_CASE(spawn_races_stop)
{
    io_context_pool pool(2);
    std::size_t spawned = 0;
    std::size_t refused = 0;
    for (std::size_t i = 0; i < races; ++i) {
        scope s(pool);
        auto joined = s.coord.async_join(use_future);
        std::jthread spawner([&] {
            for (int k = 0; k < 8; ++k) {
                try {
                    s.spawn("late", [&]() -> awaitable<void> {
                        (void)co_await s.q.next();
                    });
                    ++spawned;
                } catch (const system_error& error) {
                    require(error.code() == errc::stop_requested, error.what());
                    ++refused;
                }
            }
        });
        s.coord.request_stop();
        wait_for(joined);
        joined.get();
        require(s.running == 0, "a task runs after join()");
        spawner.join();
    }
    BOOST_TEST(spawned + refused == 8 * races);
}

// A coordinator dies with its tasks running; no thread may touch it then.
BOOST_AUTO_TEST_CASE(destruction_while_tasks_run)
{
    std::atomic<std::size_t> ended = 0;
    io_context_pool pool(2);
    dice chance(1);
    std::vector<std::unique_ptr<queue>> queues;
    for (std::size_t i = 0; i < races; ++i) {
        queue& q = *queues.emplace_back(std::make_unique<queue>(
            pool,
            sluice::queue_options{.capacity = sluice::unbounded}
        ));
        coordinator coord(pool);
        for (int k = 0; k < 2; ++k)
            coord.spawn("task", [&q, &ended]() -> awaitable<void> {
                const auto [error, item] = co_await q.dequeue().as_tuple();
                require(error.failed(), "an element from nowhere");
                ++ended;
            });
        dawdle(chance, 2000);
    }
    pool.join();
    BOOST_TEST(ended > 0U);
    BOOST_TEST(ended <= 2 * races);
    for (const auto& q : queues)
        require(q->stats().waiting_consumers == 0, "a task waits on for ever");
}

BOOST_AUTO_TEST_SUITE_END()
