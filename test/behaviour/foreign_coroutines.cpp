// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/counted.hpp"
#include "support/foreign_task.hpp"
#include "support/io_fixture.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <memory>

// P11: a coroutine type that Asio knows nothing of awaits the same operations. It resumes on
// the executor of its promise, if that has one, and else on that of the queue; its frame may
// be destroyed wherever it is suspended.

namespace foreign_coroutines {

using namespace sluice;
using namespace sluice::test;
using namespace std::chrono_literals;

using queue = fifo_queue<counted>;

struct fixture : counted_fixture, io_fixture
{
};

}  // namespace foreign_coroutines

BOOST_FIXTURE_TEST_SUITE(foreign_coroutines, fixture)

// Ready and waiting ---------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(select_and_coordinator_are_awaited_as_well)
{
    queue a(ctx, {.capacity = sluice::unbounded});
    queue b(ctx, {.capacity = sluice::unbounded});
    coordinator coord(ctx);
    const auto body = [&]() -> foreign_task<int> {
        auto taken = co_await select(a.dequeue(), b.dequeue());
        const auto any = co_await dequeue_any(std::array{&a, &b});
        co_await coord.wait_for_stop();
        co_return 10 * static_cast<int>(taken.index()) + static_cast<int>(any.first);
    };
    auto task = body();
    task.start();
    BOOST_TEST(b.try_enqueue(counted(1)));
    run();
    BOOST_TEST(a.try_enqueue(counted(2)));
    run();
    task.check_pending();
    coord.request_stop();
    run();
    BOOST_TEST(task.result() == 10);
}

// Destruction of queue and context ------------------------------------------------------

// The inner operation is over, but lives to the end of the expression: it must not hold on to
// the context that dies before that.
BOOST_AUTO_TEST_CASE(context_destroyed_between_two_operations_of_one_expression)
{
    auto dying = std::make_unique<asio::io_context>();
    queue in(*dying, {.capacity = sluice::unbounded});
    queue out(*dying, {.capacity = 1});
    BOOST_TEST(out.try_enqueue(counted(0)));
    auto task = [](queue& from, queue& to) -> foreign_task<> {
        co_await to.enqueue(co_await from.dequeue().within(1h));
    }(in, out);
    task.start();
    BOOST_TEST(in.try_enqueue(counted(1)));
    test::run_dry(*dying);
    BOOST_TEST(out.stats().waiting_producers == 1U);
    dying.reset();
    task.check_pending();
    task.destroy();
}

BOOST_AUTO_TEST_SUITE_END()
