// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/detail/queue_core.hpp>

#include "support/allocation_counter.hpp"
#include "support/counted.hpp"
#include "support/failing_allocator.hpp"
#include "unit/queue/core_driver.hpp"
#include <sluice/detail/waiting/claim.hpp>
#include <sluice/queue/detail/dequeue_waiter.hpp>
#include <sluice/queue/priority_store.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace test = sluice::test;
using sluice::errc;
using sluice::detail::delivery;
using sluice::detail::demand;
using sluice::detail::wait_mode;
using phase = sluice::detail::waiter::phase;

namespace queue_core {

using fifo = test::core_driver<>;
using priority = test::core_driver<int, sluice::priority_store<int, std::less<>>>;

std::vector<int> numbers(int first, int last)
{
    std::vector<int> result;
    for (int i = first; i <= last; ++i)
        result.push_back(i);
    return result;
}

// A consumer that is never told.
class silent_consumer final : public sluice::detail::dequeue_waiter<test::counted>
{
public:
    using dequeue_waiter::dequeue_waiter;

private:
    void deliver() noexcept override {}
    void abandon() noexcept override {}
    [[nodiscard]] std::string describe() const override { return "consumer"; }
};

}  // namespace queue_core

BOOST_AUTO_TEST_SUITE(queue_core)

// deadlines

BOOST_AUTO_TEST_CASE(deadline_that_passed_before_the_start_leaves_one_attempt)  // S3
{
    fifo q(1);
    q.enqueue("in", {1});
    auto& in_time = q.idle_consumer("in time", demand::one, 1);
    q.core().cancel(in_time, errc::timed_out);
    BOOST_TEST(q.core().start(in_time, delivery::inline_if_ready, wait_mode::waits));
    BOOST_TEST(!in_time.failed());

    auto& too_late = q.idle_consumer("too late", demand::one, 1);
    q.core().cancel(too_late, errc::timed_out);
    BOOST_TEST(q.core().start(too_late, delivery::inline_if_ready, wait_mode::waits));
    BOOST_TEST(too_late.code() == errc::timed_out);
}

BOOST_AUTO_TEST_CASE(cancelled_operation_whose_deadline_passes_too_gets_nothing)  // S17
{
    fifo q(1);
    q.put({1});
    auto& out = q.idle_consumer("out", demand::one, 1);
    q.core().cancel(out, boost::asio::error::operation_aborted);
    q.core().cancel(out, errc::timed_out);
    BOOST_TEST(q.core().start(out, delivery::inline_if_ready, wait_mode::waits));
    BOOST_TEST(out.code() == boost::asio::error::operation_aborted);
    BOOST_TEST(q.take() == "[1]");
}

// fairness

BOOST_AUTO_TEST_CASE(size_counts_neither_held_rows_nor_rows_that_wait)
{
    fifo q(3);
    q.enqueue("rows", numbers(1, 5));
    BOOST_TEST(q.size() == 3U);
    BOOST_TEST(q.take() == "[1, 2, 3, 4, 5]");

    q.dequeue_many("batch", 4);
    q.enqueue("more", {6, 7});
    BOOST_TEST(q.size() == 0U);
    BOOST_TEST(q.stats().held == 2U);
    BOOST_TEST(q.stats().waiting_consumers == 1U);
}

// starting

BOOST_AUTO_TEST_CASE(ready_operation_completes_inline)
{
    fifo q(1);
    auto& in = q.idle_producer("in", {7});
    BOOST_TEST(q.core().start(in, delivery::inline_if_ready, wait_mode::waits));
    BOOST_TEST(in.text() == "ok");
    auto& out = q.idle_consumer("out", demand::one, 1);
    BOOST_TEST(q.core().start(out, delivery::inline_if_ready, wait_mode::waits));
    BOOST_TEST(out.text() == "7");
    BOOST_TEST(in.suspensions() + out.suspensions() == 0);
    BOOST_TEST(q.told().empty());
}

BOOST_AUTO_TEST_CASE(ready_operation_that_must_be_posted_is_suspended_and_delivered)
{
    fifo q(1);
    auto& in = q.enqueue("in", {7});
    BOOST_TEST(in.suspensions() == 1);
    BOOST_TEST(in.deliveries() == 1);
    BOOST_TEST(in.text() == "ok");
}

BOOST_AUTO_TEST_CASE(short_way_does_what_start_does)
{
    fifo q(3);
    auto& rows = q.idle_producer("rows", {1, 2, 3});
    BOOST_TEST(q.core().try_start(rows));
    BOOST_TEST(rows.accepted() == 3U);
    auto& more = q.idle_producer("more", {4});
    BOOST_TEST(!q.core().try_start(more));
    BOOST_TEST(more.accepted() == 0U);

    auto& two = q.idle_consumer("two", demand::exactly, 2);
    BOOST_TEST(q.core().try_start(two));
    BOOST_TEST(two.elements() == "[1, 2]");
    auto& two_more = q.idle_consumer("two more", demand::exactly, 2);
    BOOST_TEST(!q.core().try_start(two_more));
    BOOST_TEST(two_more.held() == 0U);
    auto& some = q.idle_consumer("some", demand::some, 5);
    BOOST_TEST(q.core().try_start(some));
    BOOST_TEST(some.elements() == "[3]");
    q.check_invariants();
    BOOST_TEST(q.told().empty());
}

BOOST_AUTO_TEST_CASE(short_way_serves_pending_operations_of_the_other_side)
{
    fifo q(1);
    auto& waiting = q.dequeue("waiting");
    auto& in = q.idle_producer("in", {1});
    BOOST_TEST(q.core().try_start(in));
    BOOST_TEST(waiting.text() == "1");

    q.enqueue("full", {2});
    auto& blocked = q.enqueue("blocked", {3});
    auto& out = q.idle_consumer("out", demand::one, 1);
    BOOST_TEST(q.core().try_start(out));
    BOOST_TEST(out.elements() == "2");
    BOOST_TEST(blocked.text() == "ok");
    BOOST_TEST(q.told() == "waiting full blocked");
    q.check_invariants();
}

// cancelling

BOOST_AUTO_TEST_CASE(operation_cancelled_before_it_starts_does_not_start)
{
    fifo q(4);
    q.put({1});
    auto& out = q.idle_consumer("out", demand::one, 1);
    q.cancel(out);
    q.start(out);
    BOOST_TEST(out.text() == "aborted");
    auto& in = q.idle_producer("in", {2});
    q.cancel(in);
    q.start(in);
    BOOST_TEST(in.text() == "aborted");
    BOOST_TEST(q.told() == "out in");
    BOOST_TEST(q.take() == "[1]");
}

BOOST_AUTO_TEST_CASE(cancelled_waiter_in_the_middle_ends_and_others_keep_their_order)
{
    fifo q(4);
    auto& a = q.dequeue("a");
    auto& b = q.dequeue("b");
    auto& c = q.dequeue("c");
    q.cancel(b);
    BOOST_TEST(b.text() == "aborted");
    BOOST_TEST(a.text() == "waits");
    q.enqueue("rows", {1, 2});
    BOOST_TEST(a.text() == "1");
    BOOST_TEST(c.text() == "2");
    BOOST_TEST(q.told() == "b rows a c");
}

BOOST_AUTO_TEST_CASE(cancelled_up_to_that_was_lowered_gives_its_rows_back)
{
    fifo q(4);
    auto& batch = q.dequeue_up_to("batch", 3);
    q.put({1, 2});
    q.close();
    BOOST_TEST(batch.text() == "[1, 2]");
    q.cancel(batch);
    BOOST_TEST(batch.text() == "aborted");
    BOOST_TEST(q.take() == "[1, 2]");
}

BOOST_AUTO_TEST_CASE(batch_that_finds_no_memory_to_hold_more_gives_all_back)  // S9
{
    std::size_t failed_batches = 0;
    for (std::size_t good_allocations = 0; good_allocations < 3; ++good_allocations) {
        fifo q(sluice::unbounded);
        for (const char* const label : {"a", "b"})  // the journal has room for two
            q.cancel(q.dequeue(label));
        BOOST_TEST(q.told() == "a b");
        auto& batch = q.dequeue_many("batch", 10'000);
        q.put(numbers(1, 4096));  // for so many it has memory from the start
        auto& late = q.idle_producer("late", {4097});
        {
            test::allocation_budget budget(good_allocations);
            const test::failing_new region(budget);
            (void)q.core().start(late, delivery::always_posted, wait_mode::waits);
        }
        q.check_invariants();
        if (batch.failed()) {
            ++failed_batches;
            BOOST_TEST(batch.text() == "element_failed");
            BOOST_TEST(q.told() == "late batch");
            BOOST_TEST(q.size() == 4097U);
        }
    }
    BOOST_TEST(failed_batches == 1U);
}

// forgetting

BOOST_AUTO_TEST_CASE(forgetting_what_is_delivered_or_idle_changes_nothing)
{
    fifo q(4);
    auto& out = q.dequeue("out");
    q.put({1});
    q.finish(out);
    q.forget(out);
    BOOST_TEST(q.size() == 0U);
    auto& idle = q.idle_consumer("idle", demand::one, 1);
    q.forget(idle);
    BOOST_TEST(idle.text() == "idle");
}

// memory

BOOST_AUTO_TEST_CASE(putting_back_what_a_batch_holds_does_not_allocate)  // Q4
{
    for (const std::size_t capacity : {0U, 2U}) {
        fifo q(capacity);
        auto& batch = q.dequeue_many("batch", 100);
        for (int i = 0; i < 50; ++i)
            q.put({i});
        BOOST_TEST(batch.held() == 50U);
        test::allocation_budget none(0);
        {
            const test::failing_new region(none);
            q.core().forget(batch);
        }
        BOOST_TEST(!none.failed());
        BOOST_TEST(q.size() == 50U);
        q.check_invariants();
    }
}

BOOST_AUTO_TEST_CASE(element_stays_with_its_consumer_if_there_is_no_memory_to_take_it_back
)
{
    int refused = 0;
    for (int stored = 0; stored < 10; ++stored) {
        fifo q(64);
        auto& out = q.dequeue("out");
        q.put({100});
        q.put(numbers(1, stored));
        test::allocation_budget budget(0);
        {
            const test::failing_new region(budget);
            q.core().cancel(out, boost::asio::error::operation_aborted);
        }
        BOOST_TEST(out.text() == (budget.failed() ? "100" : "aborted"));
        BOOST_TEST(
            q.size() == static_cast<std::size_t>(stored) + (budget.failed() ? 0 : 1)
        );
        refused += budget.failed() ? 1 : 0;
        q.check_invariants();
    }
    BOOST_TEST(refused > 0);
}

BOOST_AUTO_TEST_CASE(element_of_a_forgotten_consumer_goes_to_the_next)
{
    fifo q(4);
    auto& out = q.dequeue("out");
    auto& next = q.dequeue("next");
    q.put({1});
    BOOST_TEST(out.text() == "1");
    q.core().forget(out);
    BOOST_TEST(next.text() == "1");
}

BOOST_AUTO_TEST_CASE(later_ready_operation_does_not_pass_a_batch_that_holds_nothing
)  // P5
{
    priority q(8);
    auto& batch = q.dequeue_many("batch", 3);
    q.put({2, 1});
    auto& newcomer = q.idle_consumer("newcomer", demand::one, 1);
    BOOST_TEST(!q.core().try_start(newcomer));
    q.put({3});
    BOOST_TEST(batch.text() == "[1, 2, 3]");
}

// (Q4): what is returned to the queue is at once held by the batch that waits, and that must
// be able to give it back in turn.
BOOST_AUTO_TEST_CASE(batch_that_holds_what_was_given_back_can_give_it_back_without_memory)
{
    for (int held = 0; held < 20; ++held) {
        fifo q(64);
        auto& out = q.dequeue("out");
        auto& batch = q.dequeue_many("batch", 30);
        q.put({100});
        q.put(numbers(1, held));
        q.cancel(out);
        test::allocation_budget none(0);
        {
            const test::failing_new region(none
            );  // a cancellation would tell the journal
            q.core().forget(batch);
        }
        BOOST_TEST(q.size() == static_cast<std::size_t>(held) + 1);
        q.check_invariants();
    }
}

BOOST_AUTO_TEST_CASE(steady_traffic_allocates_nothing)
{
    fifo q(4);
    q.put({1, 2, 3, 4});
    auto& out = q.idle_consumer("out", demand::one, 1);
    auto& in = q.idle_producer("in", {5});
    const test::allocation_counter counter;
    BOOST_TEST(q.core().try_start(out));
    BOOST_TEST(q.core().try_start(in));
    counter.check_none();
}

BOOST_AUTO_TEST_CASE(elements_that_a_consumer_has_not_handed_on_die_with_it)
{
    const test::counted_fixture elements;
    {
        silent_consumer one(demand::one, 1);
        one.take(test::counted(1));
        silent_consumer batch(demand::exactly, 2);
        batch.take(test::counted(2));
        BOOST_TEST(elements.alive() == 2);
    }
    BOOST_TEST(elements.alive() == 0);
}

// Found by the model: only what changes something serves the others.
BOOST_AUTO_TEST_CASE(attempt_that_is_refused_leaves_the_wait_lists_as_they_are)
{
    sluice::detail::claim decided;
    fifo q(1);
    q.enqueue("first", {1});
    auto& lost = q.idle_producer("lost", {2});
    lost.claim_ = &decided;
    q.start(lost);
    q.close();
    BOOST_TEST(decided.try_take());
    BOOST_TEST(q.put({3}) == 0U);
    BOOST_TEST(q.stats().waiting_producers == 1U);
    BOOST_TEST(q.dequeue("taker").text() == "1");
    BOOST_TEST(q.stats().waiting_producers == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
