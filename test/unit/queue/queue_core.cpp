// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/detail/queue_core.hpp>

#include "support/allocation_counter.hpp"
#include "support/counted.hpp"
#include "support/failing_allocator.hpp"
#include "support/message_of.hpp"
#include "unit/queue/core_driver.hpp"
#include <sluice/queue/priority_store.hpp>
#include <sluice/queue/shuffle_store.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace test = sluice::test;
using sluice::close_mode;
using sluice::errc;
using sluice::detail::delivery;
using sluice::detail::demand;
using sluice::detail::wait_mode;
using phase = sluice::detail::waiter::phase;

namespace queue_core {

using fifo = test::core_driver<>;
using priority = test::core_driver<int, sluice::priority_store<int, std::less<>>>;
using shuffle = test::core_driver<int, sluice::shuffle_store<int>>;

// A core whose element is T.
template <class T>
using fifo_of = test::core_driver<T, sluice::fifo_store<T>>;

std::vector<int> numbers(int first, int last)
{
    std::vector<int> result;
    for (int i = first; i <= last; ++i)
        result.push_back(i);
    return result;
}

std::exception_ptr cause(const char* text)
{
    return std::make_exception_ptr(std::runtime_error(text));
}

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

BOOST_AUTO_TEST_CASE(deadline_of_what_was_ready_does_not_matter_until_it_is_delivered
)  // S3
{
    fifo q(2);
    q.put({1});
    auto& ready = q.dequeue("ready");
    q.cancel(ready, errc::timed_out);
    BOOST_TEST(ready.text() == "1");

    auto& waited = q.dequeue("waited");
    q.put({2});
    q.cancel(waited, errc::timed_out);
    BOOST_TEST(waited.text() == "timed_out");
    BOOST_TEST(q.take() == "[2]");
}

// fairness

BOOST_AUTO_TEST_CASE(later_operation_does_not_pass_a_waiting_producer)
{
    fifo q(1);
    q.enqueue("full", {0});
    q.enqueue("many", {1, 2, 3});
    auto& newcomer = q.idle_producer("newcomer", {9});
    q.take(1);
    BOOST_TEST(!q.core().try_start(newcomer));
    BOOST_TEST(newcomer.text() == "idle");
    BOOST_TEST(q.put({8}) == 0U);
    q.start(newcomer);
    BOOST_TEST(newcomer.text() == "waits");
    BOOST_TEST(q.take() == "[1, 2, 3, 9]");
}

BOOST_AUTO_TEST_CASE(later_operation_does_not_pass_a_waiting_consumer)
{
    fifo q(10);
    auto& batch = q.dequeue_many("batch", 3);
    q.enqueue("a", {1, 2});
    auto& newcomer = q.idle_consumer("newcomer", demand::one, 1);
    BOOST_TEST(!q.core().try_start(newcomer));
    BOOST_TEST(q.take(1) == "[]");
    q.start(newcomer);
    q.enqueue("b", {3, 4});
    BOOST_TEST(batch.text() == "[1, 2, 3]");
    BOOST_TEST(newcomer.text() == "4");
}

BOOST_AUTO_TEST_CASE(rows_of_two_enqueue_many_are_contiguous)
{
    fifo q(3);
    q.enqueue("a", numbers(1, 50));
    q.enqueue("b", numbers(101, 150));
    std::vector<int> all;
    while (all.size() < 100)
        all.push_back(*q.dequeue("d").item());
    std::vector<int> expected = numbers(1, 50);
    const std::vector<int> second = numbers(101, 150);
    expected.insert(expected.end(), second.begin(), second.end());
    BOOST_TEST(all == expected);
}

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

BOOST_AUTO_TEST_CASE(completions_of_one_flush_come_in_the_order_decided)  // S7
{
    fifo q(2);
    q.enqueue("full", {1, 2});
    q.enqueue("p1", {3});
    q.enqueue("p2", {4});
    q.told();
    q.dequeue_some("c", 2);
    BOOST_TEST(q.told() == "c p1 p2");

    fifo r(10);
    r.dequeue("c1");
    r.dequeue("c2");
    r.enqueue("p", {1, 2});
    BOOST_TEST(r.told() == "p c1 c2");
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

BOOST_AUTO_TEST_CASE(operation_without_patience_gives_up_and_leaves_no_trace)
{
    fifo q(1);
    auto& out = q.idle_consumer("out", demand::exactly, 2);
    BOOST_TEST(q.put({1}) == 1U);
    BOOST_TEST(q.core().start(out, delivery::inline_if_ready, wait_mode::gives_up));
    BOOST_TEST(out.text() == "timed_out");
    BOOST_TEST(q.size() == 1U);

    auto& in = q.idle_producer("in", {2});
    BOOST_TEST(!q.core().start(in, delivery::always_posted, wait_mode::gives_up));
    BOOST_TEST(in.text() == "timed_out");
    BOOST_TEST(in.rows.front() == 2);
    BOOST_TEST(q.told() == "in");
    BOOST_TEST(q.stats().waiting_producers + q.stats().waiting_consumers == 0U);
}

BOOST_AUTO_TEST_CASE(ready_operation_without_patience_succeeds)  // S3
{
    fifo q(2);
    auto& in = q.idle_producer("in", {1, 2});
    BOOST_TEST(q.core().start(in, delivery::inline_if_ready, wait_mode::gives_up));
    BOOST_TEST(in.text() == "ok");
    auto& out = q.idle_consumer("out", demand::exactly, 2);
    BOOST_TEST(q.core().start(out, delivery::inline_if_ready, wait_mode::gives_up));
    BOOST_TEST(out.text() == "[1, 2]");
}

BOOST_AUTO_TEST_CASE(impatient_enqueue_many_that_exceeds_the_room_says_what_went_in)
{
    fifo q(2);
    auto& in = q.idle_producer("in", {1, 2, 3});
    BOOST_TEST(q.core().start(in, delivery::inline_if_ready, wait_mode::gives_up));
    BOOST_TEST(in.text() == "timed_out, 2 in");
    BOOST_TEST(q.take() == "[1, 2]");
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

// closing

BOOST_AUTO_TEST_CASE(dequeue_some_takes_the_rest_after_the_close_and_then_ends)
{
    fifo q(10);
    q.put({1, 2, 3});
    q.close();
    BOOST_TEST(q.dequeue_some("a", 2).text() == "[1, 2]");
    BOOST_TEST(q.dequeue_some("b", 2).text() == "[3]");
    BOOST_TEST(q.dequeue_some("c", 2).text() == "end_of_queue (0 left)");
}

BOOST_AUTO_TEST_CASE(cancelling_close_fails_each_producer_once_in_order)
{
    fifo q(2);
    auto& many = q.enqueue("many", {1, 2, 3});
    auto& one = q.enqueue("one", {4});
    auto& more = q.enqueue("more", {5, 6});
    q.close(close_mode::cancel_pending);
    BOOST_TEST(many.text() == "queue_closed, 2 in");
    BOOST_TEST(one.text() == "queue_closed");
    BOOST_TEST(more.text() == "queue_closed");
    BOOST_TEST(q.told() == "many one more");
    BOOST_TEST(many.deliveries() == 1);

    // stored rows are readable; then the end
    BOOST_TEST(q.dequeue("a").text() == "1");
    BOOST_TEST(q.dequeue("b").text() == "2");
    BOOST_TEST(q.dequeue("c").text() == "end_of_queue (0 left)");
}

BOOST_AUTO_TEST_CASE(rows_that_did_not_go_in_stay_untouched_with_their_caller)
{
    fifo q(2);
    auto& many = q.enqueue("many", {1, 2, 3, 4});
    q.close(close_mode::cancel_pending);
    BOOST_TEST(many.left() == 2U);
    BOOST_TEST(many.rows[2] == 3);
    BOOST_TEST(many.rows[3] == 4);
}

BOOST_AUTO_TEST_CASE(close_with_waiting_producers_serves_consumers_until_they_are_done
)  // S4
{
    fifo q(2);
    q.enqueue("many", {1, 2, 3, 4, 5});
    q.close();
    BOOST_TEST(q.dequeue_many("batch", 4).text() == "[1, 2, 3, 4]");
    auto& rest = q.dequeue_up_to("rest", 3);
    BOOST_TEST(rest.text() == "[5]");
    BOOST_TEST(q.told() == "batch many rest");
}

BOOST_AUTO_TEST_CASE(cause_of_the_close_reaches_consumers_after_the_drain)
{
    fifo q(2);
    q.enqueue("many", {1, 2, 3});
    q.close(close_mode::cancel_pending, cause("disk full"));
    BOOST_TEST(q.dequeue("a").text() == "1");
    BOOST_TEST(q.dequeue("b").text() == "2");
    auto& end = q.dequeue("end");
    BOOST_TEST(end.text() == "input_failed (0 left)");
    BOOST_TEST(sluice::test::message_of(end.exception_) == "disk full");
}

BOOST_AUTO_TEST_CASE(first_cause_stands)
{
    fifo q(2);
    q.close();
    q.close(close_mode::cancel_pending, cause("first"));
    q.close(close_mode::cancel_pending, cause("second"));
    BOOST_TEST(sluice::test::message_of(q.dequeue("end").exception_) == "first");
}

BOOST_AUTO_TEST_CASE(cause_reaches_consumers_that_wait_already)
{
    fifo q(4);
    auto& batch = q.dequeue_many("batch", 3);
    q.put({1});
    q.close(close_mode::cancel_pending, cause("broken"));
    BOOST_TEST(batch.text() == "input_failed (1 left)");
    BOOST_TEST(sluice::test::message_of(batch.exception_) == "broken");
    BOOST_TEST(q.size() == 1U);
}

BOOST_AUTO_TEST_CASE(try_batches_on_a_closed_queue_take_but_do_not_put)
{
    fifo q(4);
    q.put({1, 2});
    q.close();
    BOOST_TEST(q.put({3}) == 0U);
    BOOST_TEST(q.take(1) == "[1]");
    BOOST_TEST(q.take() == "[2]");
    BOOST_TEST(q.take() == "[]");
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

BOOST_AUTO_TEST_CASE(cancelled_head_lets_the_next_be_tried_at_once)
{
    fifo q(4);
    auto& batch = q.dequeue_many("batch", 3);
    auto& next = q.dequeue("next");
    q.put({1, 2});
    q.cancel(batch);
    BOOST_TEST(next.text() == "1");
    BOOST_TEST(q.told() == "batch next");
    BOOST_TEST(q.take() == "[2]");

    fifo r(1);
    r.put({0});
    auto& head = r.enqueue("head", {1});
    auto& second = r.enqueue("second", {2});
    r.cancel(head);
    BOOST_TEST(second.text() == "waits");
    BOOST_TEST(r.take() == "[0, 2]");
    BOOST_TEST(head.rows.front() == 1);
}

BOOST_AUTO_TEST_CASE(assigned_element_returns_to_the_front_if_cancelled)  // D2, S6
{
    fifo q(4);
    auto& early = q.dequeue("early");
    q.enqueue("rows", {1, 2});
    BOOST_TEST(early.text() == "1");

    q.cancel(early);
    BOOST_TEST(early.text() == "aborted");
    BOOST_TEST(q.stats().returned == 1U);
    q.finish(early);
    BOOST_TEST(q.told() == "rows early");
    BOOST_TEST(q.take() == "[1, 2]");
}

BOOST_AUTO_TEST_CASE(assigned_batch_is_returned_in_order_and_to_the_next_consumer)
{
    fifo q(4);
    auto& batch = q.dequeue_many("batch", 2);
    q.enqueue("rows", {1, 2});
    auto& waiting = q.dequeue("waiting");
    BOOST_TEST(q.told() == "rows batch");

    q.cancel(batch, errc::timed_out);
    BOOST_TEST(batch.text() == "timed_out");
    BOOST_TEST(waiting.text() == "1");
    BOOST_TEST(q.told() == "waiting");
    BOOST_TEST(q.take() == "[2]");
}

BOOST_AUTO_TEST_CASE(operation_ready_at_once_gives_back_until_it_is_delivered)  // S1
{
    fifo q(4);
    q.put({1, 2});
    auto& posted = q.dequeue("posted");
    BOOST_TEST(posted.text() == "1");
    q.cancel(posted);
    BOOST_TEST(posted.text() == "aborted");
    BOOST_TEST(q.take() == "[1, 2]");
}

BOOST_AUTO_TEST_CASE(cancellation_after_the_delivery_has_no_effect)
{
    fifo q(4);
    auto& out = q.dequeue("out");
    q.put({1});
    q.finish(out);
    BOOST_CHECK(out.phase_ == phase::delivered);
    q.cancel(out);
    BOOST_TEST(out.text() == "1");
    BOOST_TEST(q.size() == 0U);
    BOOST_TEST(q.stats().returned == 0U);
}

BOOST_AUTO_TEST_CASE(cancelled_enqueue_whose_element_is_in_reports_success)  // S1
{
    fifo q(4);
    auto& in = q.enqueue("in", {1});
    q.cancel(in);
    BOOST_TEST(in.text() == "ok");
    BOOST_TEST(q.take() == "[1]");
}

BOOST_AUTO_TEST_CASE(second_cancellation_keeps_the_first_reason)
{
    fifo q(4);
    auto& out = q.dequeue("out");
    q.cancel(out, errc::timed_out);
    q.cancel(out);
    BOOST_TEST(out.text() == "timed_out");
    BOOST_TEST(out.deliveries() == 1);
}

BOOST_AUTO_TEST_CASE(returned_elements_are_in_front_of_the_stored_not_of_the_held)  // S6
{
    fifo q(10);
    auto& first = q.dequeue("first");
    auto& second = q.dequeue("second");
    q.enqueue("a", {1, 2});
    auto& batch = q.dequeue_many("batch", 3);
    q.enqueue("b", {3});
    BOOST_TEST(batch.text() == "waits [3]");

    // 1 passes to the batch that waits and holds 3; 2 goes there as well
    q.cancel(first);
    BOOST_TEST(batch.text() == "waits [3, 1]");
    q.cancel(second);
    BOOST_TEST(batch.text() == "[3, 1, 2]");
}

BOOST_AUTO_TEST_CASE(several_cancelled_each_go_to_the_front_when_it_happens)  // S6
{
    fifo q(10);
    q.put({1, 2, 3});
    auto& a = q.dequeue("a");
    auto& b = q.dequeue("b");
    q.cancel(a);
    q.cancel(b);
    BOOST_TEST(q.take() == "[2, 1, 3]");
}

BOOST_AUTO_TEST_CASE(returned_elements_ignore_the_capacity_and_block_producers)  // D1
{
    fifo q(1);
    auto& out = q.dequeue("out");
    q.put({1});
    q.put({2});
    auto& in = q.enqueue("in", {3});
    q.cancel(out);
    BOOST_TEST(q.size() == 2U);
    BOOST_TEST(in.text() == "waits");
    BOOST_TEST(q.dequeue("a").text() == "1");
    BOOST_TEST(in.text() == "waits");
    BOOST_TEST(q.dequeue("b").text() == "2");
    BOOST_TEST(in.text() == "ok");
}

BOOST_AUTO_TEST_CASE(element_returned_to_a_closed_queue_can_be_taken)
{
    fifo q(4);
    auto& out = q.dequeue("out");
    q.put({1});
    q.close();
    BOOST_TEST(q.dequeue("end").text() == "end_of_queue (0 left)");
    q.cancel(out);
    BOOST_TEST(q.dequeue("again").text() == "1");
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

BOOST_AUTO_TEST_CASE(cancelled_priority_element_leaves_before_its_equals)
{
    using entry = std::pair<int, char>;
    struct by_number
    {
        bool operator()(const entry& a, const entry& b) const
        {
            return a.first < b.first;
        }
    };
    using store = sluice::priority_store<entry, by_number>;
    using core = sluice::detail::queue_core<entry, store>;
    const sluice::queue_options options{.capacity = 10, .name = "q"};
    const boost::intrusive_ptr<core> q(new core(store(options), 10, "q"));
    test::core_journal journal;
    test::core_producer<core> rows(*q, journal, "rows", {{1, 'a'}, {1, 'b'}, {0, 'c'}});
    test::core_consumer<core> two(*q, journal, "two", demand::exactly, 2);
    test::core_consumer<core> all(*q, journal, "all", demand::exactly, 3);
    (void)q->start(rows, delivery::always_posted, wait_mode::waits);
    (void)q->start(two, delivery::always_posted, wait_mode::waits);
    q->cancel(two, boost::asio::error::operation_aborted);
    (void)q->start(all, delivery::always_posted, wait_mode::waits);
    BOOST_TEST(all.elements() == "[(0, c), (1, a), (1, b)]");
}

// forgetting

BOOST_AUTO_TEST_CASE(forgotten_waiter_gives_back_and_is_not_told)
{
    fifo q(4);
    auto& batch = q.dequeue_many("batch", 3);
    auto& next = q.dequeue("next");
    q.put({1, 2});
    q.forget(batch);
    BOOST_TEST(batch.deliveries() == 0);
    BOOST_TEST(next.text() == "1");
    BOOST_TEST(q.take() == "[2]");
}

BOOST_AUTO_TEST_CASE(forgotten_waiter_returns_what_was_assigned)  // P1
{
    fifo q(4);
    auto& out = q.dequeue("out");
    q.put({1, 2});
    q.forget(out);
    BOOST_TEST(q.stats().returned == 1U);
    BOOST_TEST(q.take() == "[1, 2]");
}

BOOST_AUTO_TEST_CASE(forgotten_producer_lets_the_next_in)
{
    fifo q(1);
    q.put({0});
    auto& head = q.enqueue("head", {1, 2});
    auto& next = q.enqueue("next", {3});
    q.take(1);
    BOOST_TEST(head.text() == "waits, 1 in");
    q.forget(head);
    BOOST_TEST(head.left() == 1U);
    BOOST_TEST(q.take() == "[1, 3]");
    BOOST_TEST(next.text() == "ok");
    BOOST_TEST(head.deliveries() == 0);
}

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

// death of a context and of the queue

BOOST_AUTO_TEST_CASE(abandoned_waiters_are_freed_and_others_proceed)  // P12
{
    const int dying = 0;
    const int living = 0;
    fifo q(4);
    auto& batch = q.idle_consumer("batch", demand::exactly, 3);
    batch.context_ = &dying;
    q.start(batch);
    auto& other = q.idle_consumer("other", demand::exactly, 2);
    other.context_ = &living;
    q.start(other);
    auto& third = q.idle_consumer("third", demand::one, 1);
    third.context_ = &dying;
    q.start(third);
    q.put({1, 2});

    q.core().abandon(&dying);
    BOOST_TEST(batch.abandoned());
    BOOST_TEST(third.abandoned());
    BOOST_TEST(!other.abandoned());
    BOOST_TEST(other.text() == "[1, 2]");
    BOOST_TEST(q.told() == "other");
    BOOST_TEST(batch.held() == 0U);
}

BOOST_AUTO_TEST_CASE(abandoned_producers_keep_what_did_not_go_in)
{
    const int dying = 0;
    fifo q(1);
    auto& rows = q.idle_producer("rows", {1, 2});
    rows.context_ = &dying;
    q.start(rows);
    auto& next = q.enqueue("next", {3});
    q.core().abandon(&dying);
    BOOST_TEST(rows.abandoned());
    BOOST_TEST(rows.left() == 1U);
    BOOST_TEST(next.text() == "waits");
    BOOST_TEST(q.take() == "[1, 3]");
}

BOOST_AUTO_TEST_CASE(destroyed_queue_resolves_all_waiters_and_destroys_its_elements)
{
    test::counted_fixture elements;
    {
        fifo_of<test::counted> q(1);
        auto& rows = q.enqueue("rows", {1, 2});
        BOOST_TEST(!q.core().is_orphaned());
        q.core().shut_down();
        BOOST_TEST(rows.text() == "queue_closed, 1 in");
        BOOST_TEST(q.core().is_orphaned());
        BOOST_TEST(q.core().is_closed());
        BOOST_TEST(elements.holding() == 1);  // the row that did not go in
    }
    {
        fifo_of<test::counted> q(4);
        auto& batch = q.dequeue_many("batch", 2);
        q.put({1});
        q.core().shut_down();
        BOOST_TEST(batch.text() == "end_of_queue (1 left)");
        BOOST_TEST(elements.holding() == 0);
    }
}

BOOST_AUTO_TEST_CASE(assigned_element_outlives_the_queue)
{
    fifo q(4);
    auto& kept = q.dequeue("kept");
    auto& returned = q.dequeue("returned");
    q.put({1, 2});
    q.core().shut_down();
    BOOST_TEST(kept.text() == "1");
    q.cancel(returned);
    BOOST_TEST(returned.text() == "aborted");
}

// shuffle and priority

BOOST_AUTO_TEST_CASE(shuffle_keeps_its_minimum_while_open)
{
    shuffle q({.capacity = 10, .min_after_dequeue = 3, .seed = 5, .name = "q"});
    q.put(numbers(1, 5));
    BOOST_TEST(q.dequeue_some("some", 10).batch().size() == 2U);
    auto& waiting = q.dequeue("waiting");
    BOOST_TEST(waiting.text() == "waits");
    BOOST_TEST(q.take() == "[]");
    BOOST_TEST(q.size() == 3U);
    q.put({6});
    BOOST_TEST(waiting.held() == 1U);
    BOOST_TEST(q.size() == 3U);

    auto& batch = q.dequeue_many("batch", 4);
    q.put({7, 8});
    BOOST_TEST(batch.held() == 2U);
    BOOST_TEST(q.size() == 3U);
    q.close();
    BOOST_TEST(batch.held() == 4U);
    BOOST_TEST(q.size() == 1U);
}

BOOST_AUTO_TEST_CASE(shuffle_batch_that_is_returned_loses_nothing)
{
    shuffle q({.capacity = 10, .min_after_dequeue = 1, .seed = 5, .name = "q"});
    auto& batch = q.dequeue_many("batch", 8);
    q.put(numbers(1, 6));
    BOOST_TEST(batch.held() == 5U);
    q.close();
    BOOST_TEST(batch.text() == "end_of_queue (6 left)");
    auto& all = q.dequeue_many("all", 6);
    std::sort(all.batch().begin(), all.batch().end());
    BOOST_TEST(all.batch() == numbers(1, 6));
}

BOOST_AUTO_TEST_CASE(priority_batch_waits_until_all_are_stored_and_is_sorted)
{
    priority q(10);
    auto& batch = q.dequeue_many("batch", 3);
    q.put({5, 1});
    BOOST_TEST(batch.text() == "waits");
    BOOST_TEST(q.size() == 2U);
    q.put({3});
    BOOST_TEST(batch.text() == "[1, 3, 5]");
}

BOOST_AUTO_TEST_CASE(priority_up_to_while_open_waits_for_all)
{
    priority q(10);
    auto& batch = q.dequeue_up_to("batch", 3);
    q.put({2, 1});
    BOOST_TEST(batch.text() == "waits");
    q.close();
    BOOST_TEST(batch.text() == "[1, 2]");
}

BOOST_AUTO_TEST_CASE(priority_batches_above_the_capacity_are_refused_with_rows_kept
)  // S8
{
    priority q(3);
    q.put({2, 1});
    BOOST_TEST(q.dequeue_many("many", 4).text() == "invalid_argument");
    BOOST_TEST(q.dequeue_up_to("up_to", 4).text() == "invalid_argument");
    q.close();
    BOOST_TEST(q.dequeue_many("closed", 4).text() == "invalid_argument");
    BOOST_TEST(q.dequeue_some("some", 4).text() == "[1, 2]");
    priority open_ended(sluice::unbounded);
    BOOST_TEST(open_ended.dequeue_many("any", 100000).text() == "waits");
}

BOOST_AUTO_TEST_CASE(priority_smallest_value_leaves_first)
{
    constexpr int lowest = std::numeric_limits<int>::min();
    priority q(10);
    q.put({0, lowest, std::numeric_limits<int>::max()});
    BOOST_TEST(*q.dequeue("d").item() == lowest);
}

BOOST_AUTO_TEST_CASE(priority_dequeue_many_on_a_closed_short_queue_keeps_its_elements)
{
    priority q(5);
    auto& batch = q.dequeue_many("batch", 3);
    q.put({2, 1});
    q.close();
    BOOST_TEST(batch.text() == "end_of_queue (2 left)");
    BOOST_TEST(q.take() == "[1, 2]");
}

// elements

BOOST_AUTO_TEST_CASE(move_only_element_without_default_constructor_is_never_duplicated)
{
    test::counted_fixture elements;
    {
        fifo_of<test::counted> q(2);
        auto& batch = q.dequeue_many("batch", 3);
        q.put({1, 2});
        auto& rows = q.enqueue("rows", {3, 4, 5, 6});
        BOOST_TEST(batch.text() == "[1, 2, 3]");
        BOOST_TEST(rows.text() == "waits, 3 in");
        BOOST_TEST(elements.holding() == 6);
        q.cancel(batch);
        BOOST_TEST(elements.holding() == 6);
        BOOST_TEST(q.take() == "[1, 2, 3, 4, 5, 6]");
        BOOST_TEST(elements.holding() == 0);
    }
}

// memory

BOOST_AUTO_TEST_CASE(
    whichever_allocation_of_an_enqueue_fails_its_rows_stay_with_the_caller
)
{
    const test::counted_fixture elements;
    const std::size_t failures = test::for_each_failure([](test::allocation_budget& budget
                                                        ) {
        fifo_of<test::counted> q(100);
        auto& in = q.idle_producer("in", numbers(1, 5));
        bool complete = false;
        {
            const test::failing_new region(budget);
            complete = q.core().start(in, delivery::inline_if_ready, wait_mode::waits);
        }
        BOOST_TEST(complete);
        BOOST_TEST(q.size() == in.accepted());
        BOOST_TEST(in.failed() == budget.failed());
        for (std::size_t i = in.accepted(); i < in.rows.size(); ++i)
            BOOST_TEST(in.rows[i] == static_cast<int>(i) + 1);
        q.check_invariants();
    });
    BOOST_TEST(failures > 0U);
}

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

// (Q4): what goes back to the queue is at once held by the batch that waits, and that must
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

BOOST_AUTO_TEST_SUITE_END()
