// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: P12 S23

#include "support/counted.hpp"
#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

// P12 and S23: queues, coordinators and contexts die in any order while operations wait or
// are on their way. Nothing leaks (counted_fixture, and the leak check of ASan), nothing runs
// after the death, nothing touches what is gone.

namespace destruction {

using namespace sluice;
using namespace sluice::test;
using namespace std::chrono_literals;
using asio::awaitable;

using queue = fifo_queue<counted>;

struct fixture : counted_fixture, io_fixture
{
};

// Sets a flag when it is destroyed: a coroutine has one in its frame.
struct frame_mark
{
    explicit frame_mark(bool& gone) : destroyed(&gone) {}
    frame_mark(frame_mark&& from) noexcept
        : destroyed(std::exchange(from.destroyed, nullptr))
    {
    }
    ~frame_mark()
    {
        if (destroyed != nullptr)
            *destroyed = true;
    }

    bool* destroyed;
};

}  // namespace destruction

BOOST_FIXTURE_TEST_SUITE(destruction, fixture)

// The queue first -----------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(queue_first_resolves_all_waiters)
{
    std::optional<queue> full(std::in_place, ctx, queue_options{.capacity = 1});
    std::optional<queue> empty(std::in_place, ctx, queue_options{.capacity = unbounded});
    queue other(ctx, {.capacity = unbounded});
    std::vector<counted> rows;
    rows.emplace_back(1);
    rows.emplace_back(2);
    BOOST_TEST(full->try_enqueue(counted(0)));
    const auto enqueue = full->async_enqueue(counted(3), record);
    const auto many = full->async_enqueue_many(rows, record);
    const auto batch = empty->async_dequeue_many(3, record);
    BOOST_TEST(empty->try_enqueue(counted(4)));  // held by the batch
    const auto one = empty->async_dequeue(record);
    const auto selected = select(other.dequeue(), empty->dequeue())(record);
    full.reset();
    empty.reset();
    enqueue.check_pending();
    run();
    enqueue.check_error(errc::queue_closed);
    many.check_error(errc::queue_closed).check_value(0U);
    batch.check_error(errc::end_of_queue);
    selected.check_error(errc::end_of_queue);
    one.check_done();
}

BOOST_AUTO_TEST_CASE(
    elements_cancelled_after_the_death_of_their_queue_are_destroyed_with_it
)
{
    auto q = std::make_unique<queue>(
        ctx,
        sluice::queue_options{.capacity = sluice::unbounded}
    );
    const auto one = q->async_dequeue(record.cancellable());
    const auto batch = q->async_dequeue_many(2, record.cancellable());
    for (int i = 0; i < 3; ++i)
        BOOST_TEST(q->try_enqueue(counted(i)));
    q.reset();
    one.cancel();
    batch.cancel();
    run();
    one.check_error(asio::error::operation_aborted);
    batch.check_error(asio::error::operation_aborted);
    BOOST_TEST(alive() == 0);
}

BOOST_AUTO_TEST_CASE(queue_destroyed_by_the_handler_of_its_own_operation)
{
    auto q = std::make_unique<queue>(
        ctx,
        sluice::queue_options{.capacity = sluice::unbounded}
    );
    bool called = false;
    q->async_dequeue([&](error_code, std::optional<counted>) {
        q.reset();
        called = true;
    });
    const auto behind = q->async_dequeue(record);
    BOOST_TEST(q->try_enqueue(counted(1)));
    run();
    BOOST_TEST(called);
    behind.check_error(errc::end_of_queue);
}

// The context first ---------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(context_first_with_resumptions_on_a_strand_and_deadlines)
{
    auto dying = std::make_unique<asio::io_context>();
    queue q(*dying, {.capacity = sluice::unbounded});
    // The service of deadlines is older than that of strands, and so dies after it.
    asio::co_spawn(
        *dying,
        [&]() -> awaitable<void> { (void)co_await q.dequeue().within(1us).as_tuple(); },
        asio::detached
    );
    dying->run();
    dying->restart();
    asio::co_spawn(
        asio::make_strand(*dying),
        [&]() -> awaitable<void> { (void)co_await q.dequeue().within(1h); },
        asio::detached
    );
    dying->poll();
    BOOST_TEST(q.stats().waiting_consumers == 1U);
    BOOST_TEST(q.try_enqueue(counted(1)));
    dying.reset();
    BOOST_TEST(q.size() == 1U);
}

// Two contexts --------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(signal_outlives_an_operation_that_died_with_its_queue_s_context)
{
    auto dying = std::make_unique<asio::io_context>();
    queue q(*dying, {.capacity = sluice::unbounded});
    const auto on = record.cancellable().on(ctx.get_executor());
    const auto token = q.async_dequeue(on);
    queue elsewhere(ctx, {.capacity = sluice::unbounded});
    const auto selected = select(elsewhere.dequeue(), q.dequeue())(on);
    asio::cancellation_signal signal;
    bool destroyed = false;
    asio::co_spawn(
        ctx,
        [](queue& from, frame_mark) -> awaitable<void> {
            (void)co_await from.dequeue();
        }(q, frame_mark(destroyed)),
        asio::bind_cancellation_slot(signal.slot(), asio::detached)
    );
    run();
    dying.reset();
    token.cancel();
    selected.cancel();
    signal.emit(asio::cancellation_type::terminal);
    run();
    token.check_abandoned();
    selected.check_abandoned();
    BOOST_TEST(elsewhere.stats().waiting_consumers == 0U);
    BOOST_TEST(destroyed);
}

BOOST_AUTO_TEST_CASE(next_context_at_the_address_of_a_dead_one_is_another)
{
    std::optional<asio::io_context> context(std::in_place);
    queue q(*context, {.capacity = sluice::unbounded});
    context.emplace();
    const auto waits = q.async_dequeue(record.on(context->get_executor()));
    context.reset();
    waits.check_abandoned();
    BOOST_TEST(q.stats().waiting_consumers == 0U);
}

// No thread would resume it, and the queue must not post to what is freed.
BOOST_AUTO_TEST_CASE(operation_started_by_what_dies_with_a_context_does_not_wait)
{
    struct starts_in_destructor
    {
        explicit starts_in_destructor(std::function<void()> what) : start(std::move(what))
        {
        }
        starts_in_destructor(starts_in_destructor&& other) noexcept
            : start(std::exchange(other.start, nullptr))
        {
        }
        ~starts_in_destructor()
        {
            if (start)
                start();
        }
        std::function<void()> start;
    };

    for (const bool at_home : {false, true})
        for (const bool is_known : {false, true})
            for (const bool waits_itself : {false, true}) {
                asio::io_context living;
                std::optional<asio::io_context> dying(std::in_place);
                queue q(at_home ? *dying : living, {.capacity = sluice::unbounded});
                bool called = false;
                const auto executor = dying->get_executor();
                const auto start = [&, executor] {
                    q.async_dequeue(asio::bind_executor(executor, [&](auto...) {
                        called = true;
                    }));
                    sluice::select(q.dequeue(), q.dequeue())(
                        asio::bind_executor(executor, [&](auto...) { called = true; })
                    );
                };
                if (is_known && !waits_itself)
                    q.async_dequeue(asio::bind_executor(executor, [](auto...) {}));
                starts_in_destructor last{start};
                if (waits_itself)
                    q.async_dequeue(asio::bind_executor(
                        executor,
                        [kept = std::move(last)](auto...) {}
                    ));
                else
                    asio::post(executor, [kept = std::move(last)] {});

                dying.reset();

                BOOST_TEST(q.stats().waiting_consumers == 0U);
                BOOST_TEST(q.try_enqueue(test::counted(1)));
                living.run();
                BOOST_TEST(!called);
            }
}

// Threads -------------------------------------------------------------------------------

BOOST_AUTO_TEST_SUITE_END()
