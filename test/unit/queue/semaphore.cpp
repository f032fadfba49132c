// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S29

#include <sluice/queue/semaphore.hpp>

#include "support/check_error.hpp"
#include "support/co_test.hpp"
#include "support/io_fixture.hpp"
#include "support/message_of.hpp"
#include "support/recording_handler.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace semaphore {

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using sluice::errc;
using test::record;

struct fixture : test::io_fixture
{
    sluice::semaphore two{ctx, {.permits = 2, .name = "two"}};
};

}  // namespace semaphore

BOOST_FIXTURE_TEST_SUITE(semaphore, semaphore::fixture)

static_assert(!std::is_copy_constructible_v<sluice::semaphore_permit>);
static_assert(std::is_nothrow_move_constructible_v<sluice::semaphore_permit>);

BOOST_AUTO_TEST_CASE(permits_are_counted_and_released_once)
{
    BOOST_TEST(two.permits() == 2U);
    auto first = two.try_acquire();
    auto second = two.try_acquire();
    sluice::error_code error;
    BOOST_TEST(!two.try_acquire(error));
    BOOST_TEST(error == errc::queue_full);
    BOOST_TEST(two.available() == 0U);
    auto moved = std::move(first);
    first.release();
    BOOST_TEST(!first);
    BOOST_TEST(two.available() == 0U);
    moved.release();
    moved.release();
    BOOST_TEST(two.available() == 1U);
    second = two.try_acquire();  // the permit that it was is released
    BOOST_TEST(static_cast<bool>(second));
    BOOST_TEST(two.available() == 1U);
}

// Otherwise one large request would wait for ever behind small ones that keep coming.
BOOST_AUTO_TEST_CASE(small_request_does_not_pass_a_large_one_that_waits)
{
    auto first = two.try_acquire();
    auto large = two.async_acquire(2, record);
    auto small = two.async_acquire(record);
    run();
    sluice::error_code error;
    BOOST_TEST(!two.try_acquire(error));
    BOOST_TEST(error == errc::queue_busy);
    large.check_pending();
    small.check_pending();
    first.release();
    run();
    auto both = std::move(large.check_success().value());
    small.check_pending();
    both.release();
    run();
    BOOST_TEST(small.check_success().value().permits() == 1U);
}

BOOST_AUTO_TEST_CASE(large_request_that_gives_up_lets_those_behind_it_on)
{
    auto first = two.try_acquire();
    auto large = two.async_acquire(2, record.cancellable());
    auto small = two.async_acquire(record);
    run();
    small.check_pending();
    large.cancel();
    run();
    large.check_error(asio::error::operation_aborted);
    BOOST_TEST(small.check_success().value().permits() == 1U);
}

// P1: all permits are on their way when the request is cancelled.
BOOST_AUTO_TEST_CASE(several_permits_that_were_not_received_go_to_the_next)
{
    auto both = two.try_acquire(2);
    const auto cancelled = spawn([&] { return two.acquire(2); });
    auto next = two.async_acquire(2, record);
    run();
    both.release();
    cancelled.cancel();
    run();
    test::check_error(cancelled.error(), asio::error::operation_aborted);
    BOOST_TEST(next.check_success().value().permits() == 2U);
}

BOOST_AUTO_TEST_CASE(more_permits_than_there_are_fail_at_once)
{
    sluice::error_code error;
    BOOST_TEST(!two.try_acquire(3, error));
    BOOST_TEST(error == errc::invalid_argument);
    const auto asks = spawn([&]() -> asio::awaitable<void> {
        const auto permit = co_await two.acquire(3);
    });
    const std::string message = test::message_of([&] { run_until_done(asks); });
    BOOST_TEST(message.find("acquire(3) on semaphore 'two' (it has 2 permits)") == 0U);
}

SLUICE_CO_TEST(branch_that_asks_for_no_permits_is_ready)
{
    sluice::fifo_queue<int> empty{ctx, {.capacity = 1}};
    const auto first =
        co_await sluice::select(two.acquire(0), empty.dequeue()).within(0s);
    BOOST_TEST(first.index() == 0U);
}

BOOST_AUTO_TEST_CASE(cancel_ends_those_that_wait)
{
    auto first = two.try_acquire();
    auto second = two.try_acquire();
    auto third = two.async_acquire(record);
    two.cancel();
    run();
    third.check_error(asio::error::operation_aborted);
    BOOST_TEST(two.waiting() == 0U);
    first.release();
    BOOST_TEST(two.available() == 1U);
}

// On several threads: never more at a time than there are permits, and each gets one.
BOOST_AUTO_TEST_CASE(never_more_at_a_time_than_permits)
{
    sluice::io_context_pool pool{2};
    sluice::semaphore limit{pool, {.permits = 3}};
    std::atomic<int> active = 0;
    std::atomic<int> most = 0;
    std::atomic<int> done = 0;
    sluice::coordinator coord{pool};
    for (int task = 0; task < 8; ++task)
        coord.spawn("worker", [&]() -> asio::awaitable<void> {
            for (int i = 0; i < 200; ++i) {
                const int takes = 1 + i % 3;
                auto permit = co_await limit.acquire(static_cast<std::size_t>(takes));
                const int now = active += takes;
                for (int seen = most;
                     seen < now && !most.compare_exchange_weak(seen, now);)
                    ;
                co_await asio::post(asio::use_awaitable);
                active -= takes;
                permit.release();
                ++done;
            }
        });
    pool.run([&]() -> asio::awaitable<void> { co_await coord.join(); });
    BOOST_TEST(most <= 3);
    BOOST_TEST(done == 1600);
    BOOST_TEST(limit.available() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
