// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/detail/queue_core.hpp>

#include "support/allocation_counter.hpp"
#include "support/counted.hpp"
#include "support/failing_allocator.hpp"
#include "unit/queue/core_driver.hpp"
#include <sluice/detail/waiting/claim.hpp>
#include <sluice/queue/detail/element_waiters.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace test = sluice::test;
using sluice::detail::attempt;
using sluice::detail::delivery;
using sluice::detail::demand;
using sluice::detail::wait_mode;

namespace queue_core {

using fifo = test::core_driver<>;

attempt push(fifo& q, int element)
{
    return q.core().try_push(std::move(element));
}

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
    void deliver(sluice::detail::waiter_list& /*others*/) noexcept override {}
    void abandon() noexcept override {}
    [[nodiscard]] std::string describe() const override { return "consumer"; }
};

// A full queue in which a branch of a select waits, until the test takes its claim.
struct lost_branch
{
    lost_branch()
    {
        q.put({1});
        auto& lost = q.idle_producer("lost", {2});
        lost.claim_ = &word;
        q.start(lost);
    }

    sluice::detail::claim word;
    fifo q{1};
};

}  // namespace queue_core

BOOST_AUTO_TEST_SUITE(queue_core)

// cancelling

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

// the fast path

BOOST_AUTO_TEST_CASE(fast_path_without_memory_for_putting_back_takes_nothing)  // Q4
{
    fifo q(1);
    q.dequeue_many("batch", 100);
    test::allocation_budget none(0);
    {
        const test::failing_new region(none);
        BOOST_TEST((push(q, 1) == attempt::unclear));
    }
    BOOST_TEST(none.failed());
    BOOST_TEST(q.stats().enqueued == 0U);
}

// One that may proceed only if it takes the claim.
BOOST_AUTO_TEST_CASE(branch_without_elements_that_lost_is_dropped)
{
    sluice::detail::claim word;
    BOOST_TEST(word.try_take());
    fifo q(1);
    for (const delivery how : {delivery::inline_if_ready, delivery::always_posted}) {
        auto& lost = q.idle_consumer("lost", demand::exactly, 0);
        lost.claim_ = &word;
        (void)q.core().start(lost, how, wait_mode::waits);
        BOOST_TEST(lost.deliveries() == 0);
        BOOST_TEST(!lost.is_pending());
    }
}

BOOST_AUTO_TEST_CASE(branch_that_asks_for_nothing_takes_its_claim)
{
    sluice::detail::claim word;
    fifo q(1);
    auto& nothing = q.idle_producer("nothing", {});
    nothing.claim_ = &word;
    BOOST_TEST(q.core().start(nothing, delivery::inline_if_ready, wait_mode::gives_up));
    BOOST_TEST(word.is_taken());
}

// It does not wait any more, though it may be linked until its select has taken it out.
BOOST_FIXTURE_TEST_CASE(branch_that_lost_is_no_producer_that_waits, lost_branch)
{
    BOOST_TEST(word.try_take());
    const auto refusal = q.core().try_take_places(1);
    BOOST_TEST((refusal == sluice::errc::queue_full));  // and not busy
}

// S52
BOOST_FIXTURE_TEST_CASE(stop_of_a_complete_queue_cuts_nothing_off, lost_branch)
{
    q.core().close({sluice::close_mode::drain});
    BOOST_TEST(word.try_take());
    q.core().close({sluice::close_mode::cancel_pending, sluice::closer::coordinator});
    BOOST_TEST(!q.stats().end.cut_off);
}

BOOST_AUTO_TEST_SUITE_END()
