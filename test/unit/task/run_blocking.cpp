// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/task/run_blocking.hpp>

#include "support/io_fixture.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <stop_token>
#include <thread>
#include <utility>

namespace run_blocking {

namespace asio = boost::asio;
namespace test = sluice::test;

using namespace std::chrono_literals;

// A function that may be moved in, which GCC before 13 refuses of a lambda that owns something.
template <class Function>
class movable
{
public:
    explicit movable(Function function) : function_(std::move(function)) {}

    decltype(auto) operator()() { return function_(); }

private:
    Function function_;
};

struct fixture : test::io_fixture
{
    // Begins, and ends when it is told to stop.
    auto wait_for_stop()
    {
        return [this](std::stop_token stop) {
            begun = true;
            while (!stop.stop_requested())
                std::this_thread::yield();
            ended = true;
            return 7;
        };
    }

    std::atomic<bool> begun = false;
    std::atomic<bool> ended = false;
    asio::thread_pool blocking{1};
};

// A pool whose only thread is busy until release().
struct busy_fixture : fixture
{
    busy_fixture()
    {
        asio::post(blocking, [this] { gate_.get_future().wait(); });
    }

    ~busy_fixture() { release(); }

    // Whatever was put into the pool has been run when it returns.
    void release()
    {
        if (!std::exchange(is_released_, true))
            gate_.set_value();
        blocking.join();
    }

    // A function that is dropped, and which owns something.
    auto count_and_own()
    {
        auto note = [this](const int* number) {
            destroyed_on = std::this_thread::get_id();
            delete number;
        };
        auto count = [this,
                      mine = std::unique_ptr<int, decltype(note)>(new int(7), note)] {
            ++calls;
            return *mine;
        };
        return movable(std::move(count));
    }

    std::atomic<std::size_t> calls = 0;
    std::thread::id destroyed_on;

private:
    std::promise<void> gate_;
    bool is_released_ = false;
};

struct count_call
{
    void operator()() const { ++*calls; }
    std::atomic<std::size_t>* calls;
};

asio::awaitable<void> call(asio::thread_pool& where, count_call function)
{
    co_await sluice::run_blocking(where, function);
}

// Counts in `returned` the calls that have succeeded.
asio::awaitable<void> call_and_count(
    asio::thread_pool& where,
    count_call function,
    count_call returned
)
{
    co_await call(where, function);
    returned();
}

}  // namespace run_blocking

BOOST_FIXTURE_TEST_SUITE(run_blocking, fixture)

BOOST_AUTO_TEST_CASE(function_runs_there_and_the_coroutine_goes_on_here)
{
    const auto here = std::this_thread::get_id();
    auto there = here;
    run_until_done([&]() -> asio::awaitable<void> {
        there = co_await sluice::run_blocking(blocking, [] {
            return std::this_thread::get_id();
        });
        BOOST_TEST((std::this_thread::get_id() == here));
    });
    BOOST_TEST((there != here));
}

// What it owns is gone before the coroutine goes on.
BOOST_AUTO_TEST_CASE(function_is_destroyed_where_it_ran)
{
    std::thread::id destroyed_on;
    const auto note = [&](const int* number) {
        destroyed_on = std::this_thread::get_id();
        delete number;
    };
    std::thread::id ran_on;
    run_until_done([&]() -> asio::awaitable<void> {
        auto owned = std::unique_ptr<int, decltype(note)>(new int(7), note);
        auto function = [mine = std::move(owned)] { return std::this_thread::get_id(); };
        ran_on = co_await sluice::run_blocking(blocking, movable(std::move(function)));
        BOOST_TEST((destroyed_on == ran_on));
    });
}

// A move of such a function copies, so that there may be several.
BOOST_AUTO_TEST_CASE(all_copies_of_the_function_are_destroyed_before_the_coroutine_goes_on
)
{
    const auto counted = std::make_shared<int>(7);
    run_until_done([&]() -> asio::awaitable<void> {
        const auto function = [counted] {
            return *counted;
        };  // const: copied when it is moved
        const int seven = co_await sluice::run_blocking(blocking, function);
        BOOST_TEST(seven == 7);
        BOOST_TEST(counted.use_count() == 2);  // here, and in `function`
    });
}

BOOST_AUTO_TEST_CASE(cancellation_stops_the_token_and_waits_for_the_function)
{
    for (const auto type :
         {asio::cancellation_type::terminal,
          asio::cancellation_type::partial,
          asio::cancellation_type::total}) {
        begun = ended = false;
        const auto work = spawn([&]() -> asio::awaitable<int> {
            co_await asio::this_coro::reset_cancellation_state(
                asio::enable_total_cancellation()
            );
            co_return co_await sluice::run_blocking(blocking, wait_for_stop());
        });
        run_until([&] { return begun.load(); });
        work.check_pending();
        work.cancel(type);
        BOOST_TEST(run_until_done(work) == 7);  // what was done is not lost
        BOOST_TEST(ended.load());
    }
}

BOOST_AUTO_TEST_CASE(coroutine_that_was_cancelled_before_calls_nothing)
{
    bool called = false;
    const auto work = spawn([&]() -> asio::awaitable<void> {
        co_await settle();
        co_await sluice::run_blocking(blocking, [&] { called = true; });
    });
    ctx.poll_one();
    work.cancel();
    run();
    work.check_error(asio::error::operation_aborted);
    BOOST_TEST(!called);
}

BOOST_AUTO_TEST_CASE(coroutine_may_destroy_the_pool)
{
    sluice::io_context_pool pool{2};
    std::atomic<std::size_t> calls = 0;
    constexpr std::size_t rounds = 300;
    pool.run([&]() -> asio::awaitable<void> {
        for (std::size_t i = 0; i < rounds; ++i) {
            asio::thread_pool once{1};
            co_await call(once, {&calls});
        }
    });
    BOOST_TEST(calls.load() == rounds);
}

// Each function is called and its end waited for, or it is dropped.
BOOST_AUTO_TEST_CASE(stops_race_with_begins_and_ends)
{
    sluice::io_context_pool pool{2};
    asio::thread_pool many{2};
    std::atomic<std::size_t> calls = 0;
    std::atomic<std::size_t> returned = 0;
    std::atomic<std::size_t> others = 0;
    constexpr std::size_t rounds = 300;
    pool.run([&]() -> asio::awaitable<void> {
        for (std::size_t i = 0; i < rounds; ++i) {
            sluice::coordinator coord{pool};
            coord.spawn("short", call_and_count(many, {&calls}, {&returned}));
            if (i % 2 == 0)
                co_await call(many, {&others});
            coord.request_stop();
            co_await coord.join();
        }
    });
    BOOST_TEST(calls.load() <= rounds);
    BOOST_TEST(returned.load() == calls.load());
    BOOST_TEST(others.load() == rounds / 2);
}

// A pool that is destroyed before it calls the function destroys the coroutine.
BOOST_AUTO_TEST_CASE(coroutine_is_destroyed_with_a_pool_that_calls_nothing)
{
    const auto counted = std::make_shared<int>(7);
    auto stopped = std::make_unique<asio::thread_pool>(1);
    stopped->stop();
    const auto work = spawn([&]() -> asio::awaitable<void> {
        auto function = [counted] { BOOST_TEST(*counted == 0); };
        co_await sluice::run_blocking(*stopped, movable(std::move(function)));
    });
    run();
    work.check_pending();
    stopped.reset();
    run();
    work.check_pending();
    BOOST_TEST(counted.use_count() == 1);
}

// The coroutine may be on another thread than the pool that is destroyed, and unwind there.
BOOST_AUTO_TEST_CASE(function_of_a_destroyed_pool_goes_before_the_locals_of_the_coroutine)
{
    bool are_locals_gone = false;
    bool were_locals_gone = false;
    auto stopped = std::make_unique<asio::thread_pool>(1);
    stopped->stop();
    const auto work = spawn([&]() -> asio::awaitable<void> {
        const auto leave = [&](const int* local) {
            are_locals_gone = true;
            delete local;
        };
        const std::unique_ptr<const int, decltype(leave)> local(new int(7), leave);
        const auto look = [&](const int* owned) {
            ctx.poll();  // as the other thread could now
            were_locals_gone = are_locals_gone;
            delete owned;
        };
        std::unique_ptr<const int, decltype(look)> owned(new int(8), look);
        auto function = [mine = std::move(owned)] {};
        co_await sluice::run_blocking(*stopped, movable(std::move(function)));
    });
    run();
    work.check_pending();
    stopped.reset();
    run();
    BOOST_TEST(are_locals_gone);
    BOOST_TEST(!were_locals_gone);
}

// In these the function waits for a thread, which it could have after the end of the wait.

BOOST_FIXTURE_TEST_CASE(
    cancellation_drops_the_function_and_ends_the_wait,
    run_blocking::busy_fixture
)
{
    for (const auto type :
         {asio::cancellation_type::terminal,
          asio::cancellation_type::partial,
          asio::cancellation_type::total}) {
        const auto work = spawn([&]() -> asio::awaitable<int> {
            co_await asio::this_coro::reset_cancellation_state(
                asio::enable_total_cancellation()
            );
            co_return co_await sluice::run_blocking(blocking, count_and_own());
        });
        run();
        work.check_pending();
        work.cancel(type);
        run();
        work.check_error(asio::error::operation_aborted);
    }
    release();
    BOOST_TEST(calls.load() == 0U);
}

BOOST_FIXTURE_TEST_CASE(
    stop_of_a_coordinator_ends_the_wait_of_all_tasks,
    run_blocking::busy_fixture
)
{
    sluice::coordinator coord{ctx};
    for (const auto* name : {"first", "second", "third"})
        coord.spawn(name, call(blocking, {&calls}));
    run();
    coord.request_stop();
    run_until_done([&] { return coord.join(); });
    run();  // what Asio leaves of a task that has ended
    release();
    BOOST_TEST(calls.load() == 0U);
}

BOOST_FIXTURE_TEST_CASE(
    cancellation_ends_the_wait_for_a_pool_that_was_stopped,
    run_blocking::busy_fixture
)
{
    asio::thread_pool stopped{1};
    stopped.stop();
    const auto work = spawn([&] { return call(stopped, {&calls}); });
    run();
    work.check_pending();
    work.cancel();
    run();
    work.check_error(asio::error::operation_aborted);
    BOOST_TEST(calls.load() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
