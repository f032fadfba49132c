// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/allocation_counter.hpp"
#include "support/counted.hpp"
#include "support/foreign_task.hpp"
#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"
#include "support/tracking_executor.hpp"
#include <sluice/close_mode.hpp>
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

// P11: a coroutine type that Asio knows nothing of awaits the same operations. It resumes on
// the executor of its promise, if that has one, and else on that of the queue; its frame may
// be destroyed wherever it is suspended.

namespace foreign_coroutines {

using namespace sluice;
using namespace sluice::test;
using namespace std::chrono_literals;

using queue = fifo_queue<counted>;

foreign_task<int> take(queue& q)
{
    const counted item = co_await q.dequeue();
    co_return item.value();
}

foreign_task<std::vector<int>> take_many(queue& q, std::size_t count)
{
    std::vector<int> values;
    for (const counted& item : co_await q.dequeue_many(count))
        values.push_back(item.value());
    co_return values;
}

foreign_task<> put(queue& q, int value)
{
    counted item(value);
    co_await q.enqueue(std::move(item));
}

foreign_task<error_code> take_within(queue& q, std::chrono::nanoseconds limit)
{
    const auto [error, item] = co_await q.dequeue().within(limit).as_tuple();
    co_return error;
}

// One whose promise has an executor and a cancellation slot.
class placed_task
{
public:
    class promise_type
    {
    public:
        promise_type(queue&, asio::any_io_executor on, std::vector<int>&)
            : on_(std::move(on))
        {
        }

        placed_task get_return_object()
        {
            return placed_task(std::coroutine_handle<promise_type>::from_promise(*this));
        }
        std::suspend_never initial_suspend() const noexcept { return {}; }
        std::suspend_always final_suspend() const noexcept { return {}; }
        void return_void() const noexcept {}
        void unhandled_exception() { std::terminate(); }

        [[nodiscard]] asio::any_io_executor get_executor() const { return on_; }
        [[nodiscard]] asio::cancellation_slot get_cancellation_slot()
        {
            return signal.slot();
        }

        asio::cancellation_signal signal;

    private:
        asio::any_io_executor on_;
    };

    placed_task(placed_task&& other) noexcept
        : frame_(std::exchange(other.frame_, nullptr))
    {
    }
    placed_task& operator=(placed_task&&) = delete;
    ~placed_task()
    {
        if (frame_)
            frame_.destroy();
    }

    void cancel(asio::cancellation_type how) { frame_.promise().signal.emit(how); }
    [[nodiscard]] bool done() const { return frame_.done(); }

private:
    explicit placed_task(std::coroutine_handle<promise_type> frame) : frame_(frame) {}

    std::coroutine_handle<promise_type> frame_;
};

// Notes on which tracking executor it runs; 0 for a failure.
placed_task take_on(queue& q, asio::any_io_executor, std::vector<int>& where)
{
    const auto [error, item] = co_await q.dequeue().as_tuple();
    where.push_back(error ? 0 : current_executor());
}

struct fixture : counted_fixture, io_fixture
{
};

}  // namespace foreign_coroutines

BOOST_FIXTURE_TEST_SUITE(foreign_coroutines, fixture)

// Ready and waiting ---------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(ready_operation_completes_without_suspending)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    BOOST_TEST(q.try_enqueue(counted(1)));
    auto task = take(q);
    task.start();
    BOOST_TEST(task.result() == 1);
    BOOST_TEST(run() == 0U);
}

BOOST_AUTO_TEST_CASE(ready_operation_allocates_nothing)
{
    queue q(ctx, {.capacity = 4});
    BOOST_TEST(q.try_enqueue(counted(1)));
    BOOST_TEST(q.try_dequeue().has_value());
    std::size_t allocations = 1;
    const auto measure = [&]() -> foreign_task<> {
        counted item(2);
        const allocation_counter counter;
        co_await q.enqueue(std::move(item));
        item = co_await q.dequeue();
        allocations = counter.count();
    };
    auto task = measure();
    task.start();
    task.check_done();
    BOOST_TEST(allocations == 0U);
}

BOOST_AUTO_TEST_CASE(waiting_consumer_is_resumed_by_a_producer)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    auto consumer = take(q);
    consumer.start();
    auto producer = put(q, 1);
    producer.start();
    producer.check_done();
    consumer.check_pending();  // never on the stack of the producer
    run();
    BOOST_TEST(consumer.result() == 1);
}

BOOST_AUTO_TEST_CASE(waiting_producer_is_resumed_by_a_consumer)
{
    queue q(ctx, {.capacity = 0});
    auto producer = put(q, 1);
    producer.start();
    producer.check_pending();
    auto consumer = take(q);
    consumer.start();
    run();
    producer.check_done();
    BOOST_TEST(consumer.result() == 1);
}

BOOST_AUTO_TEST_CASE(batches_and_errors)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    auto batch = take_many(q, 2);
    batch.start();
    BOOST_TEST(q.try_enqueue(counted(1)));
    BOOST_TEST(q.try_enqueue(counted(2)));
    run();
    BOOST_TEST(batch.result() == (std::vector{1, 2}));

    auto waiting = take(q);
    waiting.start();
    q.close();
    run();
    waiting.check_error(errc::end_of_queue);
    auto refused = put(q, 3);
    refused.start();
    run();
    refused.check_error(errc::queue_closed);
}

BOOST_AUTO_TEST_CASE(deadline_ends_the_wait_and_lets_the_context_end)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    auto task = take_within(q, 1ms);
    task.start();
    run_until([&] { return task.done(); });
    BOOST_TEST((task.result() == errc::timed_out));
    run();
    BOOST_TEST(ctx.stopped());
}

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

BOOST_AUTO_TEST_CASE(nested_tasks_await_in_the_middle)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    const auto outer = [&]() -> foreign_task<int> {
        const int first = co_await take(q);
        co_return first + co_await take(q);
    };
    auto task = outer();
    task.start();
    BOOST_TEST(q.try_enqueue(counted(1)));
    run();
    BOOST_TEST(q.try_enqueue(counted(2)));
    run();
    BOOST_TEST(task.result() == 3);
}

// Executors -----------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(without_executor_it_resumes_on_the_queue_s)
{
    const tracking_executor of_queue(ctx.get_executor());
    queue q{asio::any_io_executor(of_queue), {.capacity = sluice::unbounded}};
    int where = 0;
    const auto body = [&]() -> foreign_task<> {
        (void)co_await q.dequeue();
        where = current_executor();
    };
    auto task = body();
    task.start();
    BOOST_TEST(q.try_enqueue(counted(1)));
    run();
    task.check_done();
    BOOST_TEST(where == of_queue.id());
}

BOOST_AUTO_TEST_CASE(with_executor_it_resumes_on_that)
{
    const tracking_executor own(ctx.get_executor());
    queue q(ctx, {.capacity = sluice::unbounded});
    std::vector<int> where;
    const placed_task task = take_on(q, own, where);
    BOOST_TEST(q.try_enqueue(counted(1)));
    run();
    BOOST_TEST(task.done());
    BOOST_TEST(where == std::vector{own.id()});
}

BOOST_AUTO_TEST_CASE(slot_of_the_promise_cancels)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    for (const auto how :
         {asio::cancellation_type::terminal,
          asio::cancellation_type::partial,
          asio::cancellation_type::total}) {
        std::vector<int> where;
        placed_task waiting = take_on(q, ctx.get_executor(), where);
        waiting.cancel(how);
        run();
        BOOST_TEST(waiting.done());
        BOOST_TEST(where == std::vector{0});
    }
    std::vector<int> where;
    placed_task handed_over = take_on(q, ctx.get_executor(), where);
    BOOST_TEST(q.try_enqueue(counted(1)));
    handed_over.cancel(asio::cancellation_type::total);
    run();
    BOOST_TEST(where == std::vector{0});
    BOOST_TEST(q.size() == 1U);
}

BOOST_AUTO_TEST_CASE(waiting_keeps_the_context_busy)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    auto task = take(q);
    task.start();
    run();
    BOOST_TEST(!ctx.stopped());
    BOOST_TEST(q.try_enqueue(counted(1)));
    run();
    task.check_done();
    BOOST_TEST(ctx.stopped());
}

// Destruction of the frame --------------------------------------------------------------

BOOST_AUTO_TEST_CASE(frame_destroyed_while_it_waits_leaves_the_line)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    auto gone = take(q);
    gone.start();
    const auto behind = q.async_dequeue(record);
    gone.destroy();
    BOOST_TEST(q.try_enqueue(counted(1)));
    run();
    behind.check_success();
    BOOST_TEST(behind.value()->value() == 1);
}

BOOST_AUTO_TEST_CASE(frame_destroyed_while_its_batch_is_incomplete_puts_it_back)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    auto gone = take_many(q, 3);
    gone.start();
    BOOST_TEST(q.try_enqueue(counted(1)));
    BOOST_TEST(q.try_enqueue(counted(2)));
    gone.destroy();
    BOOST_TEST(q.try_dequeue()->value() == 1);
    BOOST_TEST(q.try_dequeue()->value() == 2);
}

BOOST_AUTO_TEST_CASE(
    frame_destroyed_while_its_resumption_is_on_its_way_puts_the_element_back
)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    auto gone = take(q);
    gone.start();
    BOOST_TEST(q.try_enqueue(counted(1)));
    BOOST_TEST(q.try_enqueue(counted(2)));
    gone.destroy();
    BOOST_TEST(q.stats().returned == 1U);
    BOOST_TEST(run() == 1U);  // the resumption finds nothing to resume
    BOOST_TEST(q.try_dequeue()->value() == 1);
}

BOOST_AUTO_TEST_CASE(frame_of_a_producer_destroyed_takes_its_element_along)
{
    queue q(ctx, {.capacity = 1});
    BOOST_TEST(q.try_enqueue(counted(1)));
    auto gone = put(q, 2);
    gone.start();
    BOOST_TEST(holding() == 2);
    gone.destroy();
    BOOST_TEST(holding() == 1);
    BOOST_TEST(q.stats().waiting_producers == 0U);
    BOOST_TEST(q.try_dequeue()->value() == 1);
    BOOST_TEST(q.size() == 0U);
}

BOOST_AUTO_TEST_CASE(frame_of_a_select_destroyed_leaves_all_lines)
{
    queue a(ctx, {.capacity = sluice::unbounded});
    queue b(ctx, {.capacity = sluice::unbounded});
    const auto body = [&]() -> foreign_task<> {
        (void)co_await select(a.dequeue(), b.dequeue());
    };
    for (const bool decided : {false, true}) {
        auto gone = body();
        gone.start();
        if (decided)
            BOOST_TEST(b.try_enqueue(counted(1)));
        gone.destroy();
        run();
        BOOST_TEST(a.stats().waiting_consumers + b.stats().waiting_consumers == 0U);
    }
    BOOST_TEST(b.size() == 1U);
}

BOOST_AUTO_TEST_CASE(frame_with_a_deadline_destroyed_leaves_no_timer)
{
    queue q(ctx, {.capacity = sluice::unbounded});
    auto gone = take_within(q, 1h);
    gone.start();
    run();
    gone.destroy();
    run();
    BOOST_TEST(ctx.stopped());
}

// Destruction of queue and context ------------------------------------------------------

BOOST_AUTO_TEST_CASE(queue_destroyed_first_ends_the_wait)
{
    auto q = std::make_unique<queue>(ctx, queue_options{.capacity = 1});
    BOOST_TEST(q->try_enqueue(counted(1)));
    auto producer = put(*q, 2);
    producer.start();
    auto other = std::make_unique<queue>(
        ctx,
        sluice::queue_options{.capacity = sluice::unbounded}
    );
    auto consumer = take(*other);
    consumer.start();
    q.reset();
    other.reset();
    run();
    producer.check_error(errc::queue_closed);
    consumer.check_error(errc::end_of_queue);
}

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

BOOST_AUTO_TEST_CASE(context_destroyed_first_leaves_the_frame_to_its_owner)
{
    for (const auto limit : {0h, 1h}) {
        for (const bool decided : {false, true}) {
            BOOST_TEST_CONTEXT(
                (decided ? "on its way" : "waiting") << ", " << limit.count()
            )
            {
                auto dying = std::make_unique<asio::io_context>();
                queue q(*dying, {.capacity = sluice::unbounded});
                auto task = limit == 0h ? take_within(q, std::chrono::nanoseconds::max())
                                        : take_within(q, limit);
                task.start();
                if (decided)
                    BOOST_TEST(q.try_enqueue(counted(1)));
                dying.reset();
                task.check_pending();
                task.destroy();
                BOOST_TEST(q.stats().waiting_consumers == 0U);
                BOOST_TEST(q.size() == (decided ? 1U : 0U));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(task_on_a_thread_pool_runs_to_its_end)
{
    asio::thread_pool pool(2);
    queue q(pool, {.capacity = 1});
    const auto produce = [&]() -> foreign_task<> {
        for (int i = 0; i < 100; ++i)
            co_await q.enqueue(counted(i));
        q.close();
    };
    const auto consume = [&]() -> foreign_task<int> {
        int sum = 0;
        while (const auto item = co_await q.next())
            sum += item->value();
        co_return sum;
    };
    auto producer = produce();
    auto consumer = consume();
    producer.start();
    consumer.start();
    pool.join();
    BOOST_TEST(consumer.result() == 4950);
    producer.check_done();
}

BOOST_AUTO_TEST_SUITE_END()
