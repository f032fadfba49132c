// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/task/within.hpp>

#include "support/io_fixture.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <string>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using sluice::errc;
using sluice::system_error;

namespace within_cases {

// No case depends on how long something takes: a limit that must pass is short and has nothing
// to race with, and one that must not is an hour.
constexpr auto soon = 1ms;
constexpr auto late = 1h;

// Whether work has ended, however it did.
struct end_mark
{
    ~end_mark() { ended = true; }
    bool& ended;
};

auto has_code(sluice::error_code expected)
{
    return [expected](const system_error& error) { return error.code() == expected; };
}

struct fixture : test::io_fixture
{
    // What is left of a timer that was cancelled.
    ~fixture() { run(); }

    asio::awaitable<int> take()
    {
        const end_mark mark{ended};
        co_return co_await queue.dequeue();
    }

    // Goes on in spite of a cancellation, until there is a number.
    asio::awaitable<int> take_whatever_comes()
    {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_return co_await take();
    }

    template <class Duration>
    auto take_within(Duration limit)
    {
        return spawn([this, limit]() -> asio::awaitable<int> {
            co_return co_await sluice::within(take(), limit);
        });
    }

    sluice::fifo_queue<int> queue{ctx, {.capacity = 4}};
    bool ended = false;
};

}  // namespace within_cases

using namespace within_cases;

BOOST_FIXTURE_TEST_SUITE(within, fixture)

BOOST_AUTO_TEST_CASE(work_that_ends_in_time_gives_its_value)
{
    const auto work = take_within(late);
    run();
    work.check_pending();
    BOOST_TEST(queue.try_enqueue(7));
    BOOST_TEST(run_until_done(work) == 7);
}

BOOST_AUTO_TEST_CASE(time_that_is_over_cancels_the_work_and_waits_for_it)
{
    const auto work = take_within(soon);
    BOOST_CHECK_EXCEPTION(run_until_done(work), system_error, has_code(errc::timed_out));
    BOOST_TEST(ended);
    BOOST_TEST(queue.stats().waiting_consumers == 0U);
}

// Of Asio's ||, which waits for a success, this would wait an hour.
BOOST_AUTO_TEST_CASE(error_of_the_work_passes_at_once)
{
    const auto work = take_within(late);
    run();
    queue.close();
    run();
    BOOST_TEST(work.done());
    BOOST_CHECK_EXCEPTION(work.result(), system_error, has_code(errc::end_of_queue));
}

BOOST_AUTO_TEST_CASE(value_that_comes_in_spite_of_the_cancellation_is_not_lost)
{
    const auto work = spawn([this]() -> asio::awaitable<int> {
        co_return co_await sluice::within(take_whatever_comes(), soon);
    });
    const auto later = spawn([this]() -> asio::awaitable<int> {
        co_return co_await sluice::within(take(), 10 * soon);
    });
    BOOST_CHECK_THROW(run_until_done(later), system_error);
    work.check_pending();
    BOOST_TEST(queue.try_enqueue(7));
    BOOST_TEST(run_until_done(work) == 7);
}

BOOST_AUTO_TEST_CASE(cancellation_is_passed_on_and_the_work_has_ended)
{
    const auto work = take_within(late);
    run();
    work.cancel();
    run();
    BOOST_TEST(work.done());
    BOOST_TEST(ended);
    BOOST_CHECK_EXCEPTION(
        work.result(),
        system_error,
        has_code(asio::error::operation_aborted)
    );
}

BOOST_AUTO_TEST_CASE(cancellation_of_each_type_that_the_caller_heeds_is_passed_on)
{
    sluice::coordinator coord{ctx};
    const auto task = coord.spawn("taker", [](fixture& f) -> asio::awaitable<void> {
        co_await asio::this_coro::reset_cancellation_state(
            asio::enable_total_cancellation()
        );
        co_await sluice::within(f.take(), late);
    }(*this));
    run();
    task.cancel(asio::cancellation_type::total);
    run();
    BOOST_TEST(ended);
    BOOST_TEST((task.state() == sluice::task_state::cancelled));
}

BOOST_AUTO_TEST_CASE(time_beyond_the_clock_is_no_limit)
{
    const auto work = take_within(std::chrono::hours::max());
    run();
    work.check_pending();
    BOOST_TEST(queue.try_enqueue(7));
    BOOST_TEST(run_until_done(work) == 7);
}

// "Who is stuck?" sees through it, and a stop reaches the work.
BOOST_AUTO_TEST_CASE(work_of_a_supervised_task_stays_supervised)
{
    sluice::coordinator coord{ctx};
    coord.spawn("taker", [](fixture& f) -> asio::awaitable<void> {
        co_await sluice::within(f.take(), late);
    }(*this));
    run();
    const auto tasks = coord.tasks();
    BOOST_REQUIRE(tasks.size() == 1U);
    BOOST_TEST(tasks.front().waiting_on.find("dequeue") != std::string::npos);
    coord.request_stop();
    run_until_done([&] { return coord.join(); });
    BOOST_TEST(ended);
}

BOOST_AUTO_TEST_CASE(context_may_die_while_it_waits)
{
    bool work_ended = false;
    {
        asio::io_context dies;
        sluice::fifo_queue<int> numbers{dies, {.capacity = 1}};
        const auto work = [](auto& from, bool& flag) -> asio::awaitable<int> {
            const end_mark mark{flag};
            co_return co_await from.dequeue();
        };
        const auto run_it = [&](auto& from, bool& flag) -> asio::awaitable<void> {
            co_await sluice::within(work(from, flag), late);
        };
        asio::co_spawn(dies, run_it(numbers, work_ended), asio::detached);
        dies.poll();
    }
    BOOST_TEST(work_ended);
}

// On several threads and without a strand: the end of the work races with the timer.
BOOST_AUTO_TEST_CASE(end_of_the_work_races_with_the_end_of_the_time)
{
    constexpr std::size_t rounds = 2000;
    sluice::io_context_pool pool{2};
    const auto waiting = [](std::chrono::microseconds time) -> asio::awaitable<int> {
        asio::steady_timer timer(co_await asio::this_coro::executor, time);
        co_await timer.async_wait(asio::use_awaitable);
        co_return 1;
    };
    std::size_t values = 0;
    std::size_t timeouts = 0;
    pool.run([&]() -> asio::awaitable<void> {
        for (std::size_t i = 0; i < rounds; ++i) {
            try {
                values += static_cast<std::size_t>(co_await sluice::within(
                    waiting(std::chrono::microseconds(i % 40)),
                    20us
                ));
            } catch (const system_error& error) {
                if (error.code() != errc::timed_out)
                    throw;
                ++timeouts;
            }
        }
    });
    BOOST_TEST(values + timeouts == rounds);
}

BOOST_AUTO_TEST_SUITE_END()
