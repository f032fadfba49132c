// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/awaitable_waiter.hpp>

#include "support/co_test.hpp"
#include "support/counted.hpp"
#include "support/io_fixture.hpp"
#include "support/printing.hpp"
#include <sluice/detail/awaiting/supervised_executor.hpp>
#include <sluice/detail/waiting/wait_log.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <exception>
#include <memory>
#include <string>
#include <thread>

namespace asio = boost::asio;
namespace test = sluice::test;
using test::counted;

namespace awaitable_waiter {

struct awaiter_fixture : test::counted_fixture, test::io_fixture
{
    sluice::fifo_queue<counted> q{ctx, {.capacity = 2}};
};

}  // namespace awaitable_waiter

BOOST_FIXTURE_TEST_SUITE(awaitable_waiter, awaiter_fixture)

// What it leaves there would be called when it is gone.
SLUICE_CO_TEST(operation_that_is_over_leaves_nothing_in_the_cancellation_slot)
{
    q.close();
    (void)co_await q.dequeue().as_tuple();
    const auto state = co_await asio::this_coro::cancellation_state;
    BOOST_TEST(!state.slot().has_handler());
}

// The report calls the operation virtually, so it must be gone from there before the first of
// its destructors has run. The thread sanitizer sees whether it is.
BOOST_AUTO_TEST_CASE(dropped_operation_leaves_the_report_before_it_dies)  // P9
{
    auto other = std::make_unique<asio::io_context>();
    const auto task = sluice::detail::task_strand::make(other->get_executor());
    const sluice::detail::wait_log* const log = task.get();
    auto body = [](sluice::fifo_queue<counted>& queue) -> asio::awaitable<void> {
        (void)co_await queue.dequeue();
    };
    asio::co_spawn(
        sluice::detail::supervised_executor(task),
        body(q),
        [](std::exception_ptr) {}
    );
    other->poll();
    // relaxed: must not order the report before the destruction
    std::atomic<bool> has_reported = false;
    std::string report;
    std::jthread reporter([&] {
        report = log->read().text;
        has_reported.store(true, std::memory_order_relaxed);
    });
    while (!has_reported.load(std::memory_order_relaxed))
        std::this_thread::yield();
    other.reset();
    reporter.join();
    BOOST_TEST(report.starts_with("dequeue on queue"));
    BOOST_TEST(log->read().text.empty());
}

BOOST_AUTO_TEST_SUITE_END()
