// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S60

#include <sluice/queue/event.hpp>

#include "support/allocation_counter.hpp"
#include "support/io_fixture.hpp"
#include "support/native_await.hpp"
#include "support/recording_handler.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/task/sync_wait.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>

namespace event {

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using test::record;

struct fixture : test::io_fixture
{
    sluice::event ready{ctx, {.name = "ready"}};
};

}  // namespace event

BOOST_FIXTURE_TEST_SUITE(event, ::event::fixture)

BOOST_AUTO_TEST_CASE(all_that_wait_go_on_when_it_is_set)
{
    auto first = ready.async_wait(record);
    auto second = ready.async_wait(record);
    run();
    first.check_pending();
    BOOST_TEST(!ready.is_set());
    ready.set();
    BOOST_TEST(ready.is_set());
    first.check_pending();  // never from within set()
    run();
    first.check_success();
    second.check_success();
}

BOOST_AUTO_TEST_CASE(wait_completes_at_once_until_it_is_reset)
{
    ready.set();
    const auto work = spawn([&]() -> asio::awaitable<std::size_t> {
        const test::allocation_counter counter;
        co_await ready.wait();
        co_return counter.count();
    });
    const std::size_t allocations = run_until_done(work);
    BOOST_TEST((allocations == 0U || !test::native_await));
    ready.reset();
    auto waits = ready.async_wait(record);
    run();
    waits.check_pending();
    ready.set();
    run();
    waits.check_success();
}

BOOST_AUTO_TEST_CASE(s60_reset_does_not_take_back_what_was_told)
{
    auto waits = ready.async_wait(record);
    run();
    ready.set();
    ready.reset();
    run();
    waits.check_success();
}

BOOST_AUTO_TEST_CASE(cancel_ends_those_that_wait)
{
    auto one = ready.async_wait(record.cancellable());
    auto other = ready.async_wait(record);
    run();
    one.cancel();
    run();
    one.check_error(asio::error::operation_aborted);
    other.check_pending();
    ready.cancel();
    run();
    other.check_error(asio::error::operation_aborted);
    BOOST_TEST(!ready.is_set());
}

// On several threads: a set() that races the beginning of a wait is not missed.
BOOST_AUTO_TEST_CASE(set_is_never_missed)
{
    sluice::io_context_pool pool{2};
    constexpr int rounds = 500;
    for (int round = 0; round < rounds; ++round) {
        sluice::event begin{pool};
        sluice::event end{pool};
        std::atomic<int> told = 0;
        sluice::coordinator coord{pool};
        for (int task = 0; task < 2; ++task)
            coord.spawn("waits", [&]() -> asio::awaitable<void> {
                co_await begin.wait();
                if (++told == 2)
                    end.set();
            });
        begin.set();
        sluice::sync_wait(end.wait());
        sluice::sync_wait(coord.join());
    }
}

BOOST_AUTO_TEST_SUITE_END()
