// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S25 S59

#include <sluice/queue/basic_queue.hpp>

#include "support/check_error.hpp"
#include "support/co_test.hpp"
#include "support/counted.hpp"
#include "support/io_fixture.hpp"
#include "support/printing.hpp"
#include "support/recording_handler.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
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

    queue q{ctx, {.capacity = 2, .name = "lines"}};
};

}  // namespace basic_queue

BOOST_FIXTURE_TEST_SUITE(basic_queue, queue_fixture)

// destruction

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
    auto end = numbers.async_dequeue(record);  // S11
    run();
    end.check_error(errc::input_failed);
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

    numbers.close();
    std::string refusal;
    try {
        co_await numbers.emplace(3, "third");
    } catch (const system_error& error) {
        refusal = error.what();
    }
    BOOST_TEST(refusal.starts_with("enqueue on queue 'queue'"));
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
