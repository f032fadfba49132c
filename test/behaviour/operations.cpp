// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: P3 P6

#include "support/counted.hpp"
#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"
#include "support/tracking_executor.hpp"
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>
#include <sluice/queue_end.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

// The standard situations of every asynchronous operation of a queue: it completes at once; after
// a wait; on a closed queue; it is cancelled, by each type of cancellation; its handler is
// destroyed; and it completes on its executor. Memory runs out in faults.cpp, and programs die in
// abandonment.cpp. An operation is a type that says how to start it, how to make it wait and how
// to let it go on; the cases are the same for all.

namespace operations {

using namespace sluice;
using namespace sluice::test;

using queue = fifo_queue<counted>;

// What an operation works on.
struct scene
{
    explicit scene(asio::io_context& context)
        : ctx(context), q(context, {.capacity = 2}), other(context, {.capacity = 2})
    {
    }

    // Elements are numbered in the order in which they are made.
    counted make() { return counted(next++); }

    void put(queue& where) { BOOST_TEST(where.try_enqueue(make())); }

    // Elements in the queues, those that a waiting batch holds included.
    [[nodiscard]] std::size_t stored() const
    {
        const queue_stats one = q.stats();
        const queue_stats two = other.stats();
        return one.size + one.held + two.size + two.held;
    }

    [[nodiscard]] std::size_t waiting() const
    {
        std::size_t count = 0;
        for (const queue_stats& stats : {q.stats(), other.stats()})
            count += stats.waiting_producers + stats.waiting_consumers;
        return count;
    }

    void close(close_mode mode = close_mode::cancel_pending)
    {
        q.close(mode);
        other.close(mode);
    }

    asio::io_context& ctx;
    queue q;
    queue other;
    std::vector<counted> rows;  // of enqueue_many
    int next = 0;
};

// What producers have in common. `count` rows go in.
template <std::size_t Count>
struct producer
{
    static constexpr bool is_producer = true;
    static constexpr errc when_closed = errc::queue_closed;

    static void let_wait(scene& s)
    {
        s.put(s.q);
        s.put(s.q);
    }

    static void let_go_on(scene& s)
    {
        for (std::size_t i = 0; i < Count; ++i)
            BOOST_TEST(s.q.try_dequeue().has_value());
    }

    static void make_ready(scene&) {}
};

// The numbers of what an operation has taken.

std::vector<int> numbers(const counted& one)
{
    return {one.value()};
}

std::vector<int> numbers(const std::vector<counted>& batch)
{
    std::vector<int> all;
    for (const counted& one : batch)
        all.push_back(one.value());
    return all;
}

std::vector<int> numbers(const std::variant<counted, counted>& selected)
{
    BOOST_TEST(selected.index() == 1U);
    return numbers(std::get<1>(selected));
}

std::vector<int> numbers(const std::pair<std::size_t, counted>& from_any)
{
    BOOST_TEST(from_any.first == 1U);
    return numbers(from_any.second);
}

template <class Taken>
std::vector<int> numbers(const std::optional<Taken>& taken)
{
    return taken ? numbers(*taken) : std::vector<int>();
}

// What consumers have in common. They wait on empty queues, and take `Count` elements.
template <class Operation, int Count>
struct consumer
{
    static constexpr bool is_producer = false;
    static constexpr errc when_closed = errc::end_of_queue;

    static void let_wait(scene&) {}

    static void let_go_on(scene& s)
    {
        for (int i = 0; i < Count; ++i)
            s.put(s.q);
    }

    static void make_ready(scene& s) { let_go_on(s); }

    template <class Token>
    static auto start(scene& s, const Token& token)
    {
        return Operation::make(s)(token);
    }

    static asio::awaitable<void> perform(scene& s)
    {
        const auto taken = co_await Operation::make(s);
        check_taken(taken);
    }

    template <class Taken>
    static void check(const recording<error_code, Taken>& op)
    {
        check_taken(op.check_success().value());
    }

    template <class Taken>
    static void check(const recording<error_code, std::size_t, Taken>& op)
    {
        BOOST_TEST(op.check_success().template value<0>() == 1U);
        check_taken(op.template value<1>());
    }

private:
    template <class Taken>
    static void check_taken(const Taken& taken)
    {
        const auto expected = Count == 1 ? std::vector{0} : std::vector{0, 1};
        BOOST_TEST(numbers(taken) == expected);
    }
};

struct enqueue : producer<1>
{
    template <class Token>
    static auto start(scene& s, const Token& token)
    {
        return s.q.async_enqueue(s.make(), token);
    }

    static asio::awaitable<void> perform(scene& s)
    {
        counted row = s.make();
        co_await s.q.enqueue(std::move(row));
    }

    static void check(const recording<error_code>& op) { op.check_success(); }
};

struct enqueue_many : producer<2>
{
    static void make_rows(scene& s)
    {
        s.rows.clear();
        s.rows.push_back(s.make());
        s.rows.push_back(s.make());
    }

    template <class Token>
    static auto start(scene& s, const Token& token)
    {
        make_rows(s);
        return s.q.async_enqueue_many(s.rows, token);
    }

    static asio::awaitable<void> perform(scene& s)
    {
        make_rows(s);
        const std::size_t count = co_await s.q.enqueue_many(s.rows);
        BOOST_TEST(count == 2U);
    }

    static void check(const recording<error_code, std::size_t>& op)
    {
        op.check_success().check_value(2U);
    }
};

struct dequeue : consumer<dequeue, 1>
{
    static auto make(scene& s) { return s.q.dequeue(); }
};

struct next : consumer<next, 1>
{
    static auto make(scene& s) { return s.q.next(); }
};

struct dequeue_many : consumer<dequeue_many, 2>
{
    static auto make(scene& s) { return s.q.dequeue_many(2); }
};

struct dequeue_up_to : consumer<dequeue_up_to, 2>
{
    static auto make(scene& s) { return s.q.dequeue_up_to(2); }
};

// One whose time is over long after the test; it has its elements before.
struct dequeue_lingering : consumer<dequeue_lingering, 2>
{
    static auto make(scene& s)
    {
        return s.q.dequeue_up_to(2).linger(std::chrono::hours(1));
    }
};

struct dequeue_some : consumer<dequeue_some, 1>
{
    static auto make(scene& s) { return s.q.dequeue_some(2); }
};

struct select_two : consumer<select_two, 1>
{
    static auto make(scene& s) { return select(s.other.dequeue(), s.q.dequeue()); }
};

struct dequeue_from_any : consumer<dequeue_from_any, 1>
{
    static auto make(scene& s) { return dequeue_any(std::array{&s.other, &s.q}); }
};

using every_operation = std::tuple<
    enqueue,
    enqueue_many,
    dequeue,
    next,
    dequeue_many,
    dequeue_up_to,
    dequeue_lingering,
    dequeue_some,
    select_two,
    dequeue_from_any>;

constexpr asio::cancellation_type each_type[] = {
    asio::cancellation_type::terminal,
    asio::cancellation_type::partial,
    asio::cancellation_type::total
};

struct fixture : counted_fixture, io_fixture
{
    scene s{ctx};
};

}  // namespace operations

BOOST_FIXTURE_TEST_SUITE(operations, fixture)

BOOST_AUTO_TEST_CASE_TEMPLATE(immediate, Operation, every_operation)
{
    Operation::make_ready(s);
    const auto op = Operation::start(s, record);
    op.check_pending();  // never from within the initiating function
    run();
    Operation::check(op);
    BOOST_TEST(s.waiting() == 0U);

    fixture fresh;
    Operation::make_ready(fresh.s);
    fresh.run_until_done(Operation::perform(fresh.s));
    BOOST_TEST(fresh.s.waiting() == 0U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(after_a_wait, Operation, every_operation)
{
    Operation::let_wait(s);
    const auto op = Operation::start(s, record);
    run();
    op.check_pending();
    BOOST_TEST(s.waiting() >= 1U);
    Operation::let_go_on(s);
    op.check_pending();
    run();
    Operation::check(op);
    BOOST_TEST(s.waiting() == 0U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(p3_closed, Operation, every_operation)
{
    const auto check = [&](const auto& op) {
        if constexpr (std::is_same_v<Operation, operations::next>)
            BOOST_TEST(!op.check_success().value().has_value());
        else
            op.check_error(Operation::when_closed);
    };
    // Setup and act: it waits when the queue is closed, and it is started afterwards.
    Operation::let_wait(s);
    const std::size_t stored = s.stored();
    const auto before = Operation::start(s, record);
    run();
    s.close();
    const auto after = Operation::start(s, record);
    run();
    // Check: not one element was taken or inserted.
    check(before);
    check(after);
    BOOST_TEST(s.stored() == stored);
    BOOST_TEST(s.waiting() == 0U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cancelled_by_each_type, Operation, every_operation)
{
    Operation::let_wait(s);
    const std::size_t stored = s.stored();
    for (const auto type : each_type) {
        BOOST_TEST_CONTEXT("cancellation type " << static_cast<int>(type))
        {
            const auto op = Operation::start(s, record.cancellable());
            run();
            op.cancel(type);
            run();
            op.check_error(asio::error::operation_aborted);
            BOOST_TEST(!op.slot_in_use());
            BOOST_TEST(s.stored() == stored);
            BOOST_TEST(s.waiting() == 0U);
        }
    }
    // Decided, but its handler has not run: elements go back, a success of an enqueue stands.
    for (const auto type : each_type) {
        BOOST_TEST_CONTEXT("decided, cancellation type " << static_cast<int>(type))
        {
            fixture fresh;
            Operation::let_wait(fresh.s);
            const auto op = Operation::start(fresh.s, record.cancellable());
            Operation::let_go_on(fresh.s);
            const std::size_t then = fresh.s.stored();
            op.cancel(type);
            fresh.run();
            if (Operation::is_producer)
                Operation::check(op);
            else
                op.check_error(asio::error::operation_aborted);
            BOOST_TEST(
                fresh.s.stored() ==
                (Operation::is_producer ? then : fresh.s.q.stats().returned)
            );
        }
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(handler_destroyed, Operation, every_operation)
{
    for (const bool decided : {false, true}) {
        BOOST_TEST_CONTEXT((decided ? "on its way" : "waiting"))
        {
            // The queues live in another context than the handler.
            fixture fresh;
            auto dying = std::make_unique<asio::io_context>();
            Operation::let_wait(fresh.s);
            const auto op = Operation::start(fresh.s, record.on(dying->get_executor()));
            if (decided)
                Operation::let_go_on(fresh.s);
            dying.reset();
            op.check_abandoned();
            BOOST_TEST(fresh.s.waiting() == 0U);
            if (decided && !Operation::is_producer)
                BOOST_TEST(fresh.s.stored() == fresh.s.q.stats().enqueued);
        }
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(p6_on_its_executor, Operation, every_operation)
{
    const tracking_executor own(ctx.get_executor());
    for (const bool waits : {false, true}) {
        BOOST_TEST_CONTEXT((waits ? "after a wait" : "immediate"))
        {
            fixture fresh;
            waits ? Operation::let_wait(fresh.s) : Operation::make_ready(fresh.s);
            const auto op = Operation::start(fresh.s, record.on(own));
            const auto other = Operation::start(fresh.s, record.cancellable());
            if (waits)
                Operation::let_go_on(fresh.s);
            op.check_pending();
            run();
            Operation::check(op);
            op.check_executor(own);
            other.cancel();
            fresh.run();
            BOOST_TEST(other.done());
            BOOST_TEST(other.executors().empty());
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
