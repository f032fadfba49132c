// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/basic_queue.hpp>

#include "support/allocation_counter.hpp"
#include "support/check_error.hpp"
#include "support/co_test.hpp"
#include "support/counted.hpp"
#include "support/for_each_prefix.hpp"
#include "support/foreign_task.hpp"
#include "support/io_fixture.hpp"
#include "support/native_await.hpp"
#include "support/printing.hpp"
#include "support/recording_handler.hpp"
#include "support/tracking_executor.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using asio::error::operation_aborted;
using sluice::close_mode;
using sluice::errc;
using sluice::error_code;
using sluice::system_error;
using test::counted;
using test::record;
using namespace std::chrono_literals;

namespace basic_queue {

// A queue of capacity 2; its elements are counted, move-only, not default-constructible.
struct queue_fixture : test::counted_fixture, test::io_fixture
{
    using queue = sluice::fifo_queue<counted>;

    static std::vector<counted> elements(std::initializer_list<int> values)
    {
        std::vector<counted> result;
        result.reserve(values.size());
        for (const int value : values)
            result.emplace_back(value);
        return result;
    }

    void fill(std::initializer_list<int> values)
    {
        std::vector<counted> rows = elements(values);
        BOOST_TEST(q.try_enqueue_many(rows) == values.size());
    }

    [[nodiscard]] std::size_t waiting() const
    {
        return q.stats().waiting_producers + q.stats().waiting_consumers;
    }

    queue q{ctx, {.capacity = 2, .name = "lines"}};
};

}  // namespace basic_queue

BOOST_FIXTURE_TEST_SUITE(basic_queue, queue_fixture)

// construction and observers

BOOST_AUTO_TEST_CASE(new_queue_is_open_and_empty_and_knows_its_options)
{
    BOOST_TEST(q.size() == 0U);
    BOOST_TEST(q.capacity() == 2U);
    BOOST_TEST(!q.is_closed());
    BOOST_TEST(q.name() == "lines");
    BOOST_TEST((q.get_executor() == ctx.get_executor()));
    const sluice::queue_stats now = q.stats();
    BOOST_TEST(now.size + now.held + now.waiting_producers + now.waiting_consumers == 0U);
    BOOST_TEST(now.capacity == 2U);
    BOOST_TEST(!now.closed);
}

BOOST_AUTO_TEST_CASE(default_queue_is_unbounded_and_called_queue)
{
    const sluice::fifo_queue<int> unnamed(ctx, {.capacity = sluice::unbounded});
    BOOST_TEST(unnamed.capacity() == sluice::unbounded);
    BOOST_TEST(unnamed.name() == "queue");
}

BOOST_AUTO_TEST_CASE(queue_is_made_from_context_executor_or_concrete_executor)
{
    const sluice::fifo_queue<int> from_executor(
        ctx.get_executor(),
        {.capacity = sluice::unbounded}
    );
    const sluice::fifo_queue<int, asio::io_context::executor_type> concrete(
        ctx,
        {.capacity = sluice::unbounded}
    );
    const sluice::fifo_queue<int> from_strand(
        asio::make_strand(ctx),
        {.capacity = sluice::unbounded}
    );
    BOOST_TEST((from_executor.get_executor() == ctx.get_executor()));
    BOOST_TEST((concrete.get_executor() == ctx.get_executor()));
    BOOST_TEST((from_strand.get_executor() != ctx.get_executor()));
}

BOOST_AUTO_TEST_CASE(stats_show_what_happened)
{
    fill({1, 2});
    auto blocked = q.async_enqueue(counted(3), record);
    (void)q.try_dequeue();
    run();
    blocked.check_success();
    q.close();
    const sluice::queue_stats now = q.stats();
    BOOST_TEST(now.enqueued == 3U);
    BOOST_TEST(now.dequeued == 1U);
    BOOST_TEST(now.size == 2U);
    BOOST_TEST(now.high_water == 2U);
    BOOST_TEST(now.closed);
    BOOST_TEST(q.weight() == 0U);
}

// without waiting

BOOST_AUTO_TEST_CASE(try_enqueue_on_a_full_queue_leaves_the_element_untouched)
{
    fill({1, 2});
    counted element(3);
    BOOST_TEST(!q.try_enqueue(std::move(element)));
    BOOST_TEST(element == 3);
    (void)q.try_dequeue();
    BOOST_TEST(q.try_enqueue(std::move(element)));
    BOOST_TEST(element == counted::gone);
}

BOOST_AUTO_TEST_CASE(try_enqueue_on_a_closed_queue_is_refused)
{
    q.close();
    counted element(3);
    BOOST_TEST(!q.try_enqueue(std::move(element)));
    BOOST_TEST(element == 3);
}

BOOST_AUTO_TEST_CASE(try_enqueue_many_puts_in_what_fits)
{
    auto rows = elements({1, 2, 3});
    BOOST_TEST(q.try_enqueue_many(rows) == 2U);
    BOOST_TEST(rows[1] == counted::gone);
    BOOST_TEST(rows[2] == 3);
    BOOST_TEST(q.try_enqueue_many({}) == 0U);
}

BOOST_AUTO_TEST_CASE(try_dequeue_takes_the_first_or_nothing)
{
    BOOST_TEST(!q.try_dequeue().has_value());
    fill({1, 2});
    BOOST_TEST(q.try_dequeue().value() == 1);
    q.close();
    BOOST_TEST(q.try_dequeue().value() == 2);
    BOOST_TEST(!q.try_dequeue().has_value());
}

BOOST_AUTO_TEST_CASE(try_dequeue_many_takes_up_to_max)
{
    fill({1, 2});
    BOOST_TEST(q.try_dequeue_many(0).empty());
    BOOST_TEST(q.try_dequeue_many(1).size() == 1U);
    const auto rest = q.try_dequeue_many(10);
    BOOST_TEST(rest.size() == 1U);
    BOOST_TEST(rest[0] == 2);
}

BOOST_AUTO_TEST_CASE(try_forms_do_not_pass_pending_operations)  // P5
{
    auto first = q.async_dequeue_many(3, record);
    fill({1, 2});
    BOOST_TEST(!q.try_dequeue().has_value());
    BOOST_TEST(q.try_enqueue(counted(3)));
    run();
    first.check_success();

    fill({4, 5});
    auto blocked = q.async_enqueue(counted(6), record);
    BOOST_TEST(!q.try_enqueue(counted(7)));
    BOOST_TEST(q.try_dequeue().value() == 4);
    run();
    blocked.check_success();
}

BOOST_AUTO_TEST_CASE(try_forms_wake_who_waits_and_never_on_the_own_stack)  // P6
{
    auto taker = q.async_dequeue(record);
    {
        const test::initiation_guard guard;
        BOOST_TEST(q.try_enqueue(counted(1)));
    }
    taker.check_pending();
    run();
    taker.check_success().check_value(1);
}

// both doors of every operation

SLUICE_CO_TEST(every_operation_can_be_awaited)
{
    counted one(1);
    co_await q.enqueue(std::move(one));
    BOOST_TEST(one == counted::gone);
    auto rows = elements({2});
    BOOST_TEST(co_await q.enqueue_many(rows) == 1U);
    BOOST_TEST((co_await q.dequeue()) == 1);
    BOOST_TEST((co_await q.next()).value() == 2);
    fill({3, 4});
    BOOST_TEST((co_await q.dequeue_many(2)).size() == 2U);
    fill({5, 6});
    BOOST_TEST((co_await q.dequeue_up_to(2)).size() == 2U);
    fill({7, 8});
    BOOST_TEST((co_await q.dequeue_some(10)).size() == 2U);
    q.close();
    BOOST_TEST(!(co_await q.next()).has_value());
}

BOOST_AUTO_TEST_CASE(every_operation_takes_a_token)
{
    auto rows = elements({2});
    auto enqueued = q.async_enqueue(counted(1), record);
    auto many = q.async_enqueue_many(rows, record);
    auto one = q.async_dequeue(record);
    auto next = q.async_next(record);
    run();
    enqueued.check_success();
    many.check_success().check_value(1U);
    one.check_success().check_value(1);
    next.check_success().check_value(2);

    fill({3, 4});
    auto two = q.async_dequeue_many(2, record);
    run();
    two.check_success();
    BOOST_TEST(test::to_text(two.value()) == "[3, 4]");
    fill({5, 6});
    auto up_to = q.async_dequeue_up_to(2, record);
    run();
    up_to.check_success();
    BOOST_TEST(test::to_text(up_to.value()) == "[5, 6]");
    fill({7});
    auto some = q.async_dequeue_some(5, record);
    run();
    some.check_success();
    BOOST_TEST(test::to_text(some.value()) == "[7]");
    q.close();
    auto end = q.async_next(record);
    run();
    end.check_success().check_value(std::nullopt);
}

BOOST_AUTO_TEST_CASE(operation_objects_are_called_with_a_token_too)
{
    fill({1});
    auto op = q.dequeue().within(1h)(record);
    run();
    op.check_success().check_value(1);
}

BOOST_AUTO_TEST_CASE(foreign_coroutine_awaits_every_operation)  // P11
{
    auto body = [this]() -> test::foreign_task<int> {
        co_await q.enqueue(counted(1));
        auto rows = elements({2});
        co_await q.enqueue_many(rows);
        int sum = (co_await q.dequeue()).value();
        sum += (co_await q.next()).value().value();
        auto [ec, item] = co_await q.dequeue().within(0s).as_tuple();
        BOOST_TEST(ec == errc::timed_out);
        const auto batch = co_await q.dequeue_some(3);
        co_return sum + batch.at(0).value();
    };
    auto task = body();
    task.start();
    task.check_pending();
    fill({4});
    task.check_pending();
    run();
    task.check_done();
    BOOST_TEST(task.result() == 7);
}

BOOST_AUTO_TEST_CASE(future_waits_on_a_plain_thread)  // P11
{
    asio::thread_pool pool(1);
    sluice::fifo_queue<int> numbers(pool, {.capacity = 1});
    auto future = numbers.async_dequeue(asio::use_future);
    BOOST_TEST(numbers.try_enqueue(5));
    BOOST_TEST(future.get().value() == 5);
    numbers.close();
    BOOST_CHECK_THROW(
        numbers.async_dequeue(asio::use_future).get(),
        sluice::system_error
    );
    pool.join();
}

BOOST_AUTO_TEST_CASE(batch_of_enqueue_refers_to_its_rows_until_it_completes)
{
    auto rows = elements({1, 2, 3, 4});
    auto op = q.async_enqueue_many(rows, record);
    run();
    op.check_pending();
    BOOST_TEST(rows[1] == counted::gone);
    BOOST_TEST(rows[2] == 3);
    BOOST_TEST(q.try_dequeue_many(3).size() == 3U);
    run();
    op.check_success().check_value(4U);
}

// the eight situations, of dequeue and of enqueue

BOOST_TEST_DECORATOR(*test::native_await_only("what is ready takes memory (P7)"))
SLUICE_CO_TEST(immediate)
{
    fill({1});
    const test::allocation_counter counter;
    const counted element = co_await q.dequeue();
    counter.check_none();  // P7
    BOOST_TEST(element == 1);
}

BOOST_AUTO_TEST_CASE(after_wait)
{
    auto out = q.async_dequeue(record);
    run();
    out.check_pending();
    fill({1});
    run();
    out.check_success().check_value(1);

    fill({2, 3});
    auto in = q.async_enqueue(counted(4), record);
    run();
    in.check_pending();
    (void)q.try_dequeue();
    run();
    in.check_success();
}

BOOST_AUTO_TEST_CASE(closed)
{
    q.close();
    auto out = q.async_dequeue(record);
    auto batch = q.async_dequeue_many(2, record);
    auto in = q.async_enqueue(counted(1), record);
    auto rows = elements({1, 2});
    auto many = q.async_enqueue_many(rows, record);
    run();
    out.check_error(errc::end_of_queue).check_value(std::nullopt);
    batch.check_error(errc::end_of_queue);
    BOOST_TEST(batch.value().empty());
    in.check_error(errc::queue_closed);
    many.check_error(errc::queue_closed).check_value(0U);
    BOOST_TEST(rows[0] == 1);
}

BOOST_AUTO_TEST_CASE(cancelled_by_each_type)
{
    using type = asio::cancellation_type;
    for (const auto kind : {type::terminal, type::partial, type::total}) {
        auto out = q.async_dequeue_many(2, record.cancellable());
        fill({1});
        BOOST_TEST(q.size() == 0U);
        out.cancel(kind);
        run();
        out.check_error(operation_aborted);
        BOOST_TEST(out.value().empty());
        BOOST_TEST(q.size() == 1U);

        fill({2});
        auto in = q.async_enqueue(counted(3), record.cancellable());
        in.cancel(kind);
        run();
        in.check_error(operation_aborted);
        BOOST_TEST(waiting() == 0U);
        BOOST_TEST(q.try_dequeue_many(5).size() == 2U);
    }
}

BOOST_AUTO_TEST_CASE(handle_destroyed)
{
    auto consume = [this]() -> test::foreign_task<int> {
        co_return (co_await q.dequeue()).value();
    };
    auto waits = consume();
    waits.start();
    waits.destroy();
    BOOST_TEST(waiting() == 0U);

    auto decided = consume();
    decided.start();
    fill({1});
    BOOST_TEST(q.size() == 0U);
    decided.destroy();
    BOOST_TEST(q.size() == 1U);  // S12
    run();
}

BOOST_AUTO_TEST_CASE(executor_check)
{
    const test::tracking_executor own(ctx.get_executor());
    auto ready = q.async_enqueue(counted(1), record.on(own));
    auto out = q.async_dequeue_many(2, record.on(own));
    run();
    fill({2});
    run();
    ready.check_success().check_executor(own);
    out.check_success().check_executor(own);

    // without one of its own the handler runs on the queue's
    const test::tracking_executor of_queue(ctx.get_executor());
    sluice::fifo_queue<int> other{
        asio::any_io_executor(of_queue),
        {.capacity = sluice::unbounded}
    };
    auto fallback = other.async_dequeue(record);
    BOOST_TEST(other.try_enqueue(1));
    run();
    fallback.check_success().check_executor(of_queue);
}

BOOST_AUTO_TEST_CASE(allocation_failure)
{
    // that of the operation; it comes before anything has happened
    test::allocation_budget none(0);
    const auto token = record.allocated_by(test::failing_allocator<void>(none));
    BOOST_CHECK_THROW((void)q.async_dequeue(token), test::injected_bad_alloc);
    BOOST_TEST(waiting() == 0U);
    fill({1});
    test::allocation_budget none_either(0);
    const auto other = record.allocated_by(test::failing_allocator<void>(none_either));
    BOOST_CHECK_THROW((void)q.async_dequeue(other), test::injected_bad_alloc);
    BOOST_TEST(q.size() == 1U);
    test::allocation_budget nor_for_enqueue(0);
    BOOST_CHECK_THROW(
        (void)q.async_enqueue(
            counted(2),
            record.allocated_by(test::failing_allocator<void>(nor_for_enqueue))
        ),
        test::injected_bad_alloc
    );
    BOOST_TEST(q.size() == 1U);
    BOOST_TEST(none.live() + none_either.live() + nor_for_enqueue.live() == 0U);
}

BOOST_AUTO_TEST_CASE(prefix_abandonment)
{
    struct scenario
    {
        explicit scenario(asio::io_context& context) : line(context, {.capacity = 1}) {}

        asio::awaitable<void> run()
        {
            const auto producer = test::spawn(
                co_await asio::this_coro::executor,
                [this]() -> asio::awaitable<void> {
                    auto rows = elements({1, 2, 3});
                    co_await line.enqueue_many(rows);
                    co_await line.enqueue(counted(4));
                    line.close();
                }
            );
            (void)co_await line.dequeue();
            (void)co_await line.dequeue_many(2);
            while (co_await line.next()) {}
            while (!producer.done())
                co_await asio::post(asio::use_awaitable);
        }

        queue line;
    };
    const std::size_t handlers = test::for_each_prefix(
        [](asio::io_context& context) { return scenario(context); },
        [this] { check_none_alive(); }
    );
    BOOST_TEST(handlers > 1U);
}

// modifiers

SLUICE_CO_TEST(within_and_until_end_an_operation_that_waits)
{
    auto [timed_out, none] = co_await q.dequeue().within(1ms).as_tuple();
    BOOST_TEST(timed_out == errc::timed_out);
    BOOST_TEST(!none.has_value());
    auto [past, nothing] =
        co_await q.dequeue_many(2).until(std::chrono::steady_clock::now()).as_tuple();
    BOOST_TEST(past == errc::timed_out);
    BOOST_TEST(nothing.empty());
    BOOST_TEST(waiting() == 0U);
}

SLUICE_CO_TEST(deadline_of_a_batch_returns_what_it_held)  // D1
{
    fill({1});
    auto [ec, rows] = co_await q.dequeue_many(2).within(1ms).as_tuple();
    BOOST_TEST(ec == errc::timed_out);
    BOOST_TEST(rows.empty());
    BOOST_TEST(q.size() == 1U);
}

// As the recipe that batches by size or time does.
SLUICE_CO_TEST(batch_that_timed_out_can_be_taken_as_it_is)
{
    fill({1, 2});
    auto [ec, rows] = co_await q.dequeue_up_to(3).within(0s).as_tuple();
    BOOST_TEST(ec == errc::timed_out);
    BOOST_TEST(rows.empty());
    BOOST_TEST(q.try_dequeue_many(3).size() == 2U);
}

SLUICE_CO_TEST(timed_out_enqueue_leaves_the_element)
{
    fill({1, 2});
    counted element(3);
    auto [ec] = co_await q.enqueue(std::move(element)).within(1ms).as_tuple();
    BOOST_TEST(ec == errc::timed_out);
    BOOST_TEST(element == 3);

    auto rows = elements({4, 5});
    (void)q.try_dequeue();
    auto [error, count] = co_await q.enqueue_many(rows).within(1ms).as_tuple();
    BOOST_TEST(error == errc::timed_out);
    BOOST_TEST(count == 1U);
    BOOST_TEST(rows[1] == 5);
}

SLUICE_CO_TEST(ready_operation_succeeds_whatever_its_deadline)  // S3
{
    fill({1});
    BOOST_TEST((co_await q.dequeue().within(-1s)) == 1);
    co_await q.enqueue(counted(2)).until(std::chrono::steady_clock::time_point::min());
    BOOST_TEST(q.size() == 1U);
}

SLUICE_CO_TEST(copied_element_is_copied_on_success_only)  // S2
{
    sluice::fifo_queue<std::string> texts(ctx, {.capacity = 1});
    const std::string text = "a text that is too long for the small string buffer";
    co_await texts.enqueue(text);
    BOOST_TEST(!text.empty());
    auto [ec] = co_await texts.enqueue(text).within(0s).as_tuple();
    BOOST_TEST(ec == errc::timed_out);
    BOOST_TEST((co_await texts.dequeue()) == text);
}

// errors

SLUICE_CO_TEST(end_of_the_queue_throws_and_next_does_not)
{
    q.close();
    std::string text;
    try {
        (void)co_await q.dequeue();
    } catch (const sluice::system_error& error) {
        BOOST_TEST((error.code() == sluice::condition::end_of_stream));
        text = error.what();
    }
    BOOST_TEST(text.starts_with("dequeue on queue 'lines'"));
    auto [ec, none] = co_await q.next().as_tuple();
    BOOST_TEST(!ec.failed());
    BOOST_TEST(!none.has_value());
}

SLUICE_CO_TEST(cause_of_the_close_is_thrown_after_the_drain)
{
    fill({1});
    q.close(std::make_exception_ptr(std::runtime_error("disk full")));
    BOOST_TEST((co_await q.dequeue()) == 1);
    std::string text;
    try {
        (void)co_await q.dequeue();
    } catch (const std::runtime_error& error) {
        text = error.what();
    }
    BOOST_TEST(text == "disk full");
    text.clear();
    try {
        (void)co_await q.next();
    } catch (const std::runtime_error& error) {
        text = error.what();
    }
    BOOST_TEST(text == "disk full");
}

BOOST_AUTO_TEST_CASE(cause_of_the_close_as_a_code)  // S11
{
    q.close(std::make_exception_ptr(std::runtime_error("no code")));
    auto plain = q.async_dequeue(record);
    run();
    plain.check_error(errc::input_failed);

    queue other(ctx, {.capacity = 1});
    other.close(std::make_exception_ptr(sluice::system_error(asio::error::connection_reset
    )));
    auto coded = other.async_dequeue(record);
    auto next = other.async_next(record);
    run();
    coded.check_error(asio::error::connection_reset);
    next.check_error(asio::error::connection_reset);
}

BOOST_AUTO_TEST_CASE(closing_again_and_again_is_harmless)  // D5
{
    fill({1, 2});
    auto blocked = q.async_enqueue(counted(3), record);
    q.close();
    q.close();
    run();
    blocked.check_pending();
    q.close(close_mode::cancel_pending);
    q.close(close_mode::cancel_pending);
    run();
    blocked.check_error(errc::queue_closed);
    BOOST_TEST(q.try_dequeue_many(5).size() == 2U);
}

BOOST_AUTO_TEST_CASE(is_closed_at_once_although_producers_wait)
{
    fill({1, 2});
    auto blocked = q.async_enqueue(counted(3), record);
    q.close();
    BOOST_TEST(q.is_closed());
    BOOST_TEST(q.try_dequeue_many(2).size() == 2U);
    run();
    blocked.check_success();
    BOOST_TEST(q.try_dequeue().value() == 3);
}

// the handler

BOOST_AUTO_TEST_CASE(handler_may_use_the_queue_again)
{
    auto chain = q.async_dequeue(record.then([this] {
        BOOST_TEST(q.try_enqueue(counted(9)));
    }));
    fill({1});
    run();
    chain.check_success().check_value(1);
    BOOST_TEST(q.try_dequeue().value() == 9);
}

BOOST_AUTO_TEST_CASE(memory_of_the_operation_is_free_when_the_handler_runs)
{
    test::allocation_budget budget;
    std::size_t live = 99;
    auto op = q.async_dequeue(record.allocated_by(test::failing_allocator<void>(budget))
                                  .then([&] { live = budget.live(); }));
    fill({1});
    run();
    op.check_success();
    BOOST_TEST(live == 0U);
    BOOST_TEST(budget.allocations() > 0U);
}

BOOST_AUTO_TEST_CASE(slot_is_empty_when_the_operation_has_completed)
{
    auto op = q.async_dequeue(record.cancellable());
    BOOST_TEST(op.slot_in_use());
    fill({1});
    run();
    op.check_success();
    BOOST_TEST(!op.slot_in_use());
    op.cancel();
}

BOOST_AUTO_TEST_CASE(cancelled_before_the_handler_runs_gives_back)  // S1
{
    fill({1, 2});
    auto op = q.async_dequeue(record.cancellable());
    op.cancel();
    run();
    op.check_error(operation_aborted).check_value(std::nullopt);
    BOOST_TEST(q.try_dequeue().value() == 1);
}

// destruction

BOOST_AUTO_TEST_CASE(queue_destroyed_resolves_all_who_wait)
{
    auto line = std::make_unique<queue>(ctx, sluice::queue_options{.capacity = 0});
    auto in = line->async_enqueue(counted(1), record);
    line.reset();
    run();
    in.check_error(errc::queue_closed);

    line = std::make_unique<queue>(ctx, sluice::queue_options{.capacity = 1});
    auto out = line->async_dequeue(record);
    auto batch = line->async_dequeue_up_to(2, record);
    line.reset();
    run();
    out.check_error(errc::end_of_queue);
    batch.check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(queue_outlives_a_context_whose_operations_wait)  // P12, S23
{
    auto other = std::make_unique<asio::io_context>();
    auto waits = q.async_dequeue_many(2, record.on(other->get_executor()));
    fill({1});
    auto behind = q.async_dequeue(record);
    other.reset();
    waits.check_abandoned();
    run();
    behind.check_success().check_value(1);
    BOOST_TEST(waiting() == 0U);
}

BOOST_AUTO_TEST_CASE(context_that_dies_takes_its_waiting_handlers_along)  // P12
{
    auto context = std::make_unique<asio::io_context>();
    queue line(*context, {.capacity = 1});
    auto out = line.async_dequeue(record);
    context.reset();
    out.check_abandoned();
    BOOST_TEST(line.stats().waiting_consumers == 0U);
    BOOST_TEST(line.try_enqueue(counted(1)));
    BOOST_TEST(line.size() == 1U);
}

BOOST_AUTO_TEST_CASE(close_with_no_cause_is_the_plain_close)
{
    sluice::fifo_queue<int> one{ctx, {.capacity = 1}};
    BOOST_TEST(one.try_enqueue(1));
    auto waits = one.async_enqueue(2, record);
    one.close(nullptr);
    BOOST_TEST(one.is_closed());
    BOOST_TEST(one.try_dequeue().value() == 1);
    run();
    waits.check_success();
    BOOST_TEST(one.try_dequeue().value() == 2);
}

BOOST_AUTO_TEST_CASE(close_with_empty_braces_is_the_plain_close)
{
    sluice::fifo_queue<int> one{ctx, {.capacity = 1}};
    BOOST_TEST(one.try_enqueue(1));
    auto waits = one.async_enqueue(2, record);
    one.close({});
    BOOST_TEST(one.is_closed());
    BOOST_TEST(one.try_dequeue().value() == 1);
    run();
    waits.check_success();
}

BOOST_AUTO_TEST_CASE(element_that_is_tried_as_a_constant_is_copied)
{
    sluice::fifo_queue<std::string> words{ctx, {.capacity = 1}};
    const std::string word = "kept";
    BOOST_TEST(words.try_enqueue(word));
    BOOST_TEST(!words.try_enqueue(word));
    BOOST_TEST(word == "kept");
    BOOST_TEST(words.try_dequeue().value() == "kept");
}

BOOST_AUTO_TEST_CASE(queue_moves_with_what_is_stored_and_with_who_waits)
{
    std::vector<sluice::fifo_queue<int>> queues;
    queues.emplace_back(ctx, sluice::queue_options{.capacity = 1, .name = "first"});
    auto waits = queues[0].async_dequeue(record);
    auto place = queues[0].try_reserve();
    sluice::coordinator scope{ctx};
    scope.close_on_stop(queues[0]);
    queues.emplace_back(ctx, sluice::queue_options{.capacity = 1});
    queues.reserve(100);
    BOOST_TEST(queues[0].name() == "first");
    place.fill(1);
    run();
    waits.check_success();
    scope.request_stop();
    BOOST_TEST(queues[0].is_closed());
    BOOST_TEST(!queues[1].is_closed());
}

BOOST_AUTO_TEST_CASE(queue_that_is_assigned_to_ends_first)
{
    sluice::fifo_queue<int> one{ctx, {.capacity = 1}};
    sluice::fifo_queue<int> other{ctx, {.capacity = 1, .name = "other"}};
    auto waits = one.async_dequeue(record);
    auto stays = other.async_dequeue(record);
    one = std::move(other);
    run();
    waits.check_error(errc::end_of_queue);
    stays.check_pending();
    BOOST_TEST(one.name() == "other");
    BOOST_TEST(one.try_enqueue(1));
    run();
    stays.check_success();
    auto& same = one;
    one = std::move(same);
    BOOST_TEST(one.name() == "other");
}

BOOST_AUTO_TEST_CASE(try_forms_say_full_busy_or_closed)
{
    sluice::fifo_queue<int> numbers(ctx, {.capacity = 1});
    error_code error = errc::timed_out;
    BOOST_TEST(numbers.try_enqueue(1, error));
    BOOST_TEST(!error.failed());
    int refused = 2;
    BOOST_TEST(!numbers.try_enqueue(std::move(refused), error));
    BOOST_TEST(error == errc::queue_full);
    BOOST_TEST(!numbers.try_enqueue(std::as_const(refused), error));
    BOOST_TEST(error == errc::queue_full);
    std::vector<int> rows{3, 4};
    BOOST_TEST(numbers.try_enqueue_many(rows, error) == 0U);
    BOOST_TEST(error == errc::queue_full);
    BOOST_TEST(!numbers.try_reserve(error));
    BOOST_TEST(error == errc::queue_full);

    auto waits = numbers.async_enqueue(5, record);
    run();
    BOOST_TEST(!numbers.try_enqueue(std::move(refused), error));
    BOOST_TEST(error == errc::queue_busy);
    BOOST_TEST(!numbers.try_reserve(error));
    BOOST_TEST(error == errc::queue_busy);

    numbers.close();
    BOOST_TEST(!numbers.try_enqueue(std::move(refused), error));
    BOOST_TEST(error == errc::queue_closed);
    BOOST_TEST(!numbers.try_reserve(error));
    BOOST_TEST(error == errc::queue_closed);
    BOOST_TEST(refused == 2);
    BOOST_TEST(numbers.try_dequeue().has_value());
    run();
    waits.check_success();
}

BOOST_AUTO_TEST_CASE(try_enqueue_many_says_why_some_did_not_go_in)
{
    sluice::fifo_queue<int> numbers(ctx, {.capacity = 3});
    std::vector<int> rows{1, 2};
    error_code error;
    BOOST_TEST(numbers.try_enqueue_many(rows, error) == 2U);
    BOOST_TEST(!error.failed());
    BOOST_TEST(numbers.try_enqueue_many(rows, error) == 1U);
    BOOST_TEST(error == errc::queue_full);
    BOOST_TEST(numbers.try_enqueue_many({}, error) == 0U);
    BOOST_TEST(!error.failed());
}

BOOST_AUTO_TEST_CASE(try_dequeue_says_empty_busy_or_ended)
{
    sluice::fifo_queue<int> numbers(ctx, {.capacity = 4});
    error_code error;
    BOOST_TEST(!numbers.try_dequeue(error));
    BOOST_TEST(error == errc::queue_empty);
    BOOST_TEST(numbers.try_dequeue_many(2, error).empty());
    BOOST_TEST(error == errc::queue_empty);
    BOOST_TEST(numbers.try_dequeue_many(0, error).empty());
    BOOST_TEST(!error.failed());

    auto waits = numbers.async_dequeue_many(2, record);
    BOOST_TEST(numbers.try_enqueue(1));  // which the batch holds
    BOOST_TEST(!numbers.try_dequeue(error));
    BOOST_TEST(error == errc::queue_busy);
    BOOST_TEST(numbers.try_dequeue_many(2, error).empty());
    BOOST_TEST(error == errc::queue_busy);

    BOOST_TEST(numbers.try_enqueue(2));
    BOOST_TEST(numbers.try_enqueue(3));
    numbers.close();
    BOOST_TEST(numbers.try_dequeue_many(2, error).size() == 1U);
    BOOST_TEST(!error.failed());
    BOOST_TEST(!numbers.try_dequeue(error));
    BOOST_TEST(error == errc::end_of_queue);
    run();
    waits.check_success();
}

BOOST_AUTO_TEST_CASE(try_dequeue_gives_the_code_of_the_cause)
{
    sluice::fifo_queue<int> numbers(ctx, {.capacity = 4});
    numbers.close(std::make_exception_ptr(system_error(boost::asio::error::eof)));
    error_code error;
    BOOST_TEST(!numbers.try_dequeue(error));
    BOOST_TEST(error == boost::asio::error::eof);
}

BOOST_AUTO_TEST_CASE(rendezvous_has_no_place_to_reserve)
{
    sluice::fifo_queue<int> numbers(ctx, {.capacity = 0});
    error_code error;
    BOOST_TEST(!numbers.try_reserve(error));
    BOOST_TEST(error == errc::invalid_argument);
}

BOOST_AUTO_TEST_CASE(close_that_drains_tells_consumers_the_cause_afterwards)
{
    sluice::fifo_queue<int> numbers(ctx, {.capacity = 1, .name = "numbers"});
    BOOST_TEST(numbers.try_enqueue(1));
    auto waits = numbers.async_enqueue(2, record);
    numbers.close(
        close_mode::drain,
        std::make_exception_ptr(std::runtime_error("disk full"))
    );
    BOOST_TEST(numbers.try_dequeue() == 1);
    run();
    waits.check_success();
    BOOST_TEST(numbers.try_dequeue() == 2);
    auto end = numbers.async_dequeue(record);
    run();
    end.check_error(errc::input_failed);
    numbers.close(std::make_exception_ptr(std::logic_error("too late")));
    auto task = spawn([&]() -> boost::asio::awaitable<void> {
        BOOST_CHECK_EXCEPTION(
            (void)co_await numbers.dequeue(),
            std::runtime_error,
            [](const auto& e) { return e.what() == std::string("disk full"); }
        );
    });
    run();
    BOOST_TEST(task.done());
}

BOOST_AUTO_TEST_CASE(cancel_ends_all_who_wait_and_loses_nothing)
{
    sluice::fifo_queue<int> full(ctx, {.capacity = 1});
    BOOST_TEST(full.try_enqueue(1));
    std::vector<int> rows{2, 3};
    auto enqueue = full.async_enqueue(2, record);
    auto enqueue_many = full.async_enqueue_many(rows, record);
    sluice::fifo_queue<int> empty(ctx, {.capacity = 4});
    auto batch = empty.async_dequeue_many(3, record);
    auto dequeue = empty.async_dequeue(record);
    BOOST_TEST(empty.try_enqueue(7));  // which the batch holds
    full.cancel();
    empty.cancel();
    run();
    enqueue.check_error(operation_aborted);
    enqueue_many.check_error(operation_aborted).check_value(0U);
    batch.check_error(operation_aborted);
    dequeue.check_error(operation_aborted);
    BOOST_TEST(full.try_dequeue() == 1);
    BOOST_TEST(empty.try_dequeue() == 7);
    BOOST_TEST(!full.is_closed());
    full.cancel();  // of nothing
    BOOST_TEST(full.try_enqueue(4));
}

BOOST_AUTO_TEST_CASE(s59_cancelled_enqueues_leave_what_is_stored_to_consumers)
{
    sluice::fifo_queue<int> full(ctx, {.capacity = 1});
    BOOST_TEST(full.try_enqueue(1));
    std::vector<int> rows{2, 3};
    auto enqueue_many = full.async_enqueue_many(rows, record);
    auto reserve = full.async_reserve(record);
    full.cancel_dequeues();  // of which none waits
    run();
    enqueue_many.check_pending();
    full.cancel_enqueues();
    run();
    enqueue_many.check_error(operation_aborted).check_value(0U);
    reserve.check_error(operation_aborted);
    auto later = full.async_enqueue(4, record);
    BOOST_TEST(full.try_dequeue() == 1);
    run();
    later.check_success();
    BOOST_TEST(full.try_dequeue() == 4);
    BOOST_TEST(!full.is_closed());
}

// Returned elements may exceed the capacity, so the other side waits on.
BOOST_AUTO_TEST_CASE(s59_cancelled_dequeues_return_what_a_batch_holds)
{
    sluice::fifo_queue<int> numbers(ctx, {.capacity = 1});
    auto batch = numbers.async_dequeue_many(3, record);
    auto dequeue = numbers.async_dequeue(record);
    BOOST_TEST(numbers.try_enqueue(1));
    BOOST_TEST(numbers.try_enqueue(2));
    std::vector<int> rows{3, 4, 5};
    sluice::fifo_queue<int> other(ctx, {.capacity = 1});
    auto lost = sluice::select(other.dequeue(), numbers.dequeue())(record);
    numbers.cancel_enqueues();  // of which none waits
    run();
    batch.check_pending();
    numbers.cancel_dequeues();
    run();
    batch.check_error(operation_aborted);
    dequeue.check_error(operation_aborted);
    lost.check_error(operation_aborted);
    auto waits = numbers.async_enqueue_many(rows, record);
    run();
    waits.check_pending();
    for (const int expected : {1, 2, 3, 4, 5}) {
        auto next = numbers.async_dequeue(record);
        run();
        BOOST_TEST(next.check_success().value().value() == expected);
    }
    waits.check_success();
}

BOOST_AUTO_TEST_CASE(s59_cancelled_side_of_a_closed_queue_lets_consumers_see_its_end)
{
    sluice::fifo_queue<int> numbers(ctx, {.capacity = 0});
    auto enqueue = numbers.async_enqueue(1, record);
    numbers.close();  // which waits for that enqueue
    numbers.cancel_enqueues();
    auto dequeue = numbers.async_dequeue(record);
    run();
    enqueue.check_error(operation_aborted);
    dequeue.check_error(errc::end_of_queue);
}

// Total cancellation promises that nothing has changed.
BOOST_AUTO_TEST_CASE(total_cancellation_spares_a_batch_that_is_partly_in)
{
    using type = boost::asio::cancellation_type;
    sluice::fifo_queue<int> numbers(ctx, {.capacity = 2});
    std::vector<int> rows{1, 2, 3};
    auto op = numbers.async_enqueue_many(rows, record.cancellable());
    run();
    op.cancel(type::total);
    run();
    op.check_pending();
    op.cancel(type::partial);
    run();
    op.check_error(operation_aborted).check_value(2U);

    std::vector<int> none_is_in{4, 5};
    auto untouched = numbers.async_enqueue_many(none_is_in, record.cancellable());
    run();
    untouched.cancel(type::total);
    run();
    untouched.check_error(operation_aborted).check_value(0U);

    auto ends = numbers.async_enqueue_many(rows, record.cancellable());
    BOOST_TEST(numbers.try_dequeue() == 1);
    run();
    ends.cancel(type::total | type::terminal);
    run();
    ends.check_error(operation_aborted).check_value(1U);
}

SLUICE_CO_TEST(emplace_builds_the_element)
{
    struct job
    {
        job(int n, std::string t) : number(n), text(std::move(t)) {}
        int number;
        std::string text;
    };
    sluice::fifo_queue<job> numbers(ctx, {.capacity = 1});
    co_await numbers.emplace(1, "first");
    numbers.emplace(2, "second")(record);
    const job first = co_await numbers.dequeue();
    BOOST_TEST(first.number == 1);
    BOOST_TEST(first.text == "first");
    const job second = co_await numbers.dequeue();
    BOOST_TEST(second.text == "second");
}

BOOST_AUTO_TEST_CASE(element_by_reference_stays_with_its_owner_if_it_is_refused)
{
    sluice::fifo_queue<std::unique_ptr<int>> numbers(ctx, {.capacity = 1});
    auto element = std::make_unique<int>(1);
    auto accepted = numbers.async_enqueue(std::ref(element), record);
    run();
    accepted.check_success();
    BOOST_TEST(element == nullptr);

    element = std::make_unique<int>(2);
    auto refused = numbers.async_enqueue(std::ref(element), record);
    run();
    numbers.close(close_mode::cancel_pending);
    run();
    refused.check_error(errc::queue_closed);
    BOOST_TEST(*element == 2);
}

BOOST_AUTO_TEST_CASE(negative_capacity_is_refused)
{
    BOOST_CHECK_EXCEPTION(
        sluice::fifo_queue<int>(ctx, {.capacity = -1}),
        system_error,
        [](const auto& e) { return e.code() == errc::invalid_argument; }
    );
}

BOOST_AUTO_TEST_SUITE_END()
