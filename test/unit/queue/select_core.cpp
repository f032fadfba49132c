// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S54

#include <sluice/queue/detail/select_core.hpp>

#include "support/printing.hpp"
#include <sluice/queue/detail/queue_waiters.hpp>
#include <sluice/queue/fifo_store.hpp>

#include <boost/asio/error.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace detail = sluice::detail;
namespace test = sluice::test;
using boost::asio::error::operation_aborted;
using detail::delivery;
using detail::wait_mode;
using sluice::close_mode;
using sluice::errc;

namespace select_core {

using core = detail::queue_core<int, sluice::fifo_store<int>>;
using core_ptr = boost::intrusive_ptr<core>;
using taking = detail::select_branch<detail::dequeue_one<core>>;
template <detail::demand Kind>
using taking_batch = detail::select_branch<detail::dequeue_batch<core, Kind>>;
using giving = detail::select_branch<detail::borrowed_enqueue<core, core::element_type>>;

core_ptr make_core(std::size_t capacity, std::string name)
{
    return core_ptr(new core(
        sluice::fifo_store<int>(sluice::queue_options{.capacity = sluice::unbounded}),
        capacity,
        std::move(name)
    ));
}

// A select whose owner writes down what it is told.
class recording_select final : public detail::select_core
{
public:
    recording_select() = default;

    ~recording_select() { forget(); }

    recording_select& dequeue(const core_ptr& queue)
    {
        branches_.push_back(&taking_.emplace_back(
            detail::dequeue_one<core>::arguments{queue.get()},
            *this
        ));
        return *this;
    }

    template <detail::demand Kind>
    recording_select& dequeue_batch(const core_ptr& queue, std::size_t count)
    {
        auto& batches = std::get<std::deque<taking_batch<Kind>>>(taking_batches_);
        branches_.push_back(&batches.emplace_back(
            typename detail::dequeue_batch<core, Kind>::arguments{queue.get(), count},
            *this
        ));
        return *this;
    }

    recording_select& dequeue_many(const core_ptr& queue, std::size_t count)
    {
        return dequeue_batch<detail::demand::exactly>(queue, count);
    }

    recording_select& enqueue(const core_ptr& queue, int& element)
    {
        branches_.push_back(&giving_.emplace_back(
            detail::borrowed_enqueue<core, core::element_type>::arguments{
                queue.get(),
                &element
            },
            *this
        ));
        return *this;
    }

    void live_in(const void* context)
    {
        for (detail::waiter* const branch : branches_)
            branch->context_ = context;
    }

    // The owner resumes; one that completed inline has never been suspended.
    void finish()
    {
        if (deliveries != 0)
            finish_delivery();
    }

    // The index of the branch that was taken; -1 if there is none.
    [[nodiscard]] int taken() const
    {
        for (std::size_t i = 0; i < branches_.size(); ++i)
            if (branches_[i] == winner())
                return static_cast<int>(i);
        return -1;
    }

    // The failure of the whole: its own, or that of the branch.
    [[nodiscard]] sluice::error_code error() const
    {
        return winner() == nullptr ? waiter::error() : winner()->code();
    }

    // What the n-th dequeue got.
    [[nodiscard]] std::string got(std::size_t n = 0)
    {
        return test::to_text(taking_[n].item());
    }

    // Called once, when the branch of that index is looked at.
    std::function<void(recording_select&)> when_looked_at;
    std::size_t looked_at = 0;

    // Called when it is told.
    std::function<void()> on_deliver;

    int suspensions = 0;
    int deliveries = 0;
    int abandonments = 0;

private:
    void suspend() noexcept override { ++suspensions; }

    void deliver(detail::waiter_list& /*others*/) noexcept override
    {
        ++deliveries;
        if (on_deliver)
            on_deliver();
    }

    void abandon() noexcept override { ++abandonments; }

    [[nodiscard]] std::size_t branch_count() const noexcept override
    {
        return branches_.size();
    }

    [[nodiscard]] detail::waiter& branch(std::size_t index) noexcept override
    {
        if (when_looked_at && index == looked_at)
            std::exchange(when_looked_at, nullptr)(*this);
        return *branches_[index];
    }

    std::deque<taking> taking_;
    std::tuple<
        std::deque<taking_batch<detail::demand::exactly>>,
        std::deque<taking_batch<detail::demand::up_to>>,
        std::deque<taking_batch<detail::demand::some>>>
        taking_batches_;
    std::deque<giving> giving_;
    std::vector<detail::waiter*> branches_;
};

struct two_queues
{
    using tries = detail::try_forms<core>;

    void put(const core_ptr& queue, int value)
    {
        BOOST_TEST(tries::push(*queue, std::move(value)));
    }

    void put(const core_ptr& queue, std::vector<int> values)
    {
        BOOST_TEST(tries::push_many(*queue, values) == values.size());
    }

    static std::string take_all(const core_ptr& queue)
    {
        return test::to_text(tries::pop_many(*queue, 100));
    }

    static std::size_t waiting(const core_ptr& queue)
    {
        const sluice::queue_stats now = queue->stats();
        return now.waiting_producers + now.waiting_consumers;
    }

    void check_nobody_waits() const
    {
        BOOST_TEST(waiting(a) == 0U);
        BOOST_TEST(waiting(b) == 0U);
    }

    core_ptr a = make_core(2, "a");
    core_ptr b = make_core(2, "b");
};

}  // namespace select_core

BOOST_FIXTURE_TEST_SUITE(select_core, two_queues)

// waiting

BOOST_AUTO_TEST_CASE(elements_of_a_lost_batch_go_to_the_next_before_the_owner_resumes
)  // S54
{
    for (const bool is_cancelled : {false, true}) {
        recording_select s;
        s.dequeue_many(a, 3).dequeue(b);
        (void)s.start(delivery::always_posted, wait_mode::waits);
        recording_select behind;
        behind.dequeue(a);
        (void)behind.start(delivery::always_posted, wait_mode::waits);
        put(a, {1, 2});
        BOOST_TEST(behind.deliveries == 0);
        if (is_cancelled)
            s.cancel(operation_aborted);
        else
            put(b, 9);
        BOOST_TEST(behind.got() == "1");
        BOOST_TEST(behind.deliveries == 1);
        BOOST_TEST(take_all(a) == "[2]");
        s.finish();
        behind.finish();
    }
}

BOOST_AUTO_TEST_CASE(select_that_is_decided_in_its_start_lets_go_at_the_end_of_it)  // B2
{
    const core_ptr c = make_core(2, "c");
    recording_select behind;
    behind.dequeue(a);
    recording_select s;
    s.dequeue_many(a, 3).dequeue(b).dequeue(c);
    s.looked_at = 2;
    s.when_looked_at = [&](recording_select& tried) {
        put(a, {1, 2});
        // the next time the first two branches wait already
        tried.when_looked_at = [&](recording_select&) {
            (void)behind.start(delivery::always_posted, wait_mode::waits);
            put(b, 9);
            BOOST_TEST(s.deliveries == 0);
            BOOST_TEST(behind.deliveries == 0);
        };
    };
    s.on_deliver = [&] {
        check_nobody_waits();
        BOOST_TEST(waiting(c) == 0U);
    };
    (void)s.start(delivery::always_posted, wait_mode::waits);
    BOOST_TEST(s.deliveries == 1);
    BOOST_TEST(s.taken() == 1);
    BOOST_TEST(behind.got() == "1");
    BOOST_TEST(take_all(a) == "[2]");
}

BOOST_AUTO_TEST_CASE(waiters_behind_a_lost_branch_are_told_last)  // H2, S7
{
    recording_select s;
    s.dequeue_many(a, 3).dequeue(b);
    recording_select next;
    next.dequeue(b);
    recording_select behind;
    behind.dequeue(a);
    recording_select last;
    last.dequeue(a);
    std::string order;
    s.on_deliver = [&] { order += "select "; };
    next.on_deliver = [&] { order += "next "; };
    behind.on_deliver = [&] { order += "behind "; };
    last.on_deliver = [&] { order += "last"; };
    for (recording_select* const each : {&s, &next, &behind, &last})
        (void)each->start(delivery::always_posted, wait_mode::waits);
    put(a, {1, 2});
    put(b, {8, 9});
    BOOST_TEST(order == "select next behind last");
}

// Each holds an element of one queue and waits for the next queue, whose element the next one
// holds: when the last one is decided all of them are.
BOOST_AUTO_TEST_CASE(chain_of_selects_takes_no_more_of_the_stack_than_two)
{
    constexpr std::size_t length = 10;
    std::vector<core_ptr> queues{make_core(2, "first")};
    std::deque<recording_select> chain;
    std::vector<const void*> stack;
    for (std::size_t i = 0; i < length; ++i) {
        queues.push_back(make_core(2, "next"));
        recording_select& s = chain.emplace_back();
        s.dequeue_many(queues[i], 2).dequeue(queues[i + 1]);
        s.on_deliver = [&stack] { stack.push_back(__builtin_frame_address(0)); };
    }
    for (std::size_t i = length; i-- > 0;) {
        (void)chain[i].start(delivery::always_posted, wait_mode::waits);
        put(queues[i], 1);
    }
    BOOST_TEST(stack.empty());
    put(queues[length], 2);
    BOOST_TEST(stack.size() == length);
    for (const recording_select& s : chain)
        BOOST_TEST(s.taken() == 1);
    for (std::size_t i = 2; i < stack.size(); ++i)
        BOOST_TEST(stack[i] == stack[1]);
}

// cancelling

BOOST_AUTO_TEST_CASE(select_whose_deadline_passes_before_its_start_has_one_attempt)  // S3
{
    for (const auto how : {delivery::inline_if_ready, delivery::always_posted}) {
        put(b, 1);
        recording_select ready;
        ready.dequeue(a).dequeue(b);
        ready.cancel(errc::timed_out);
        (void)ready.start(how, wait_mode::waits);
        ready.finish();
        BOOST_TEST(ready.taken() == 1);
        BOOST_TEST(!ready.error().failed());

        recording_select late;
        late.dequeue(a).dequeue(b);
        late.cancel(errc::timed_out);
        (void)late.start(how, wait_mode::waits);
        late.finish();
        BOOST_TEST(late.error() == errc::timed_out);
        check_nobody_waits();
    }
}

BOOST_AUTO_TEST_CASE(deadline_that_passes_during_the_attempts_ends_no_ready_select)  // S3
{
    for (const auto how : {delivery::inline_if_ready, delivery::always_posted}) {
        put(b, 1);
        recording_select ready;
        ready.dequeue(a).dequeue(b);
        ready.looked_at = 1;
        ready.when_looked_at = [](recording_select& s) { s.cancel(errc::timed_out); };
        (void)ready.start(how, wait_mode::waits);
        ready.cancel(errc::timed_out);
        ready.finish();
        BOOST_TEST(ready.taken() == 1);
        BOOST_TEST(!ready.error().failed());

        recording_select late;
        late.dequeue(a).dequeue(b);
        late.looked_at = 1;
        late.when_looked_at = [](recording_select& s) { s.cancel(errc::timed_out); };
        (void)late.start(how, wait_mode::waits);
        late.finish();
        BOOST_TEST(late.error() == errc::timed_out);
        check_nobody_waits();
    }
}

// the owner goes away

BOOST_AUTO_TEST_CASE(elements_of_a_forgotten_branch_do_not_go_to_its_own_select)  // P12
{
    recording_select s;
    s.dequeue_many(a, 3).dequeue(a);
    (void)s.start(delivery::always_posted, wait_mode::waits);
    put(a, 1);
    put(a, 2);
    BOOST_TEST(a->stats().held == 2U);
    s.forget();
    BOOST_TEST(s.deliveries == 0);
    BOOST_TEST(take_all(a) == "[1, 2]");
    check_nobody_waits();
}

BOOST_AUTO_TEST_CASE(select_of_a_dying_context_leaves_the_lists_of_all_queues)
{
    const int context = 0;
    recording_select s;
    s.dequeue(a).dequeue(b).live_in(&context);
    (void)s.start(detail::delivery::always_posted, detail::wait_mode::waits);

    a->abandon(&context);

    BOOST_TEST(a->stats().waiting_consumers == 0U);
    BOOST_TEST(b->stats().waiting_consumers == 0U);
}

BOOST_AUTO_TEST_CASE(decided_select_is_not_abandoned_with_a_branch_that_lost)  // P12
{
    const int context = 0;
    recording_select s;
    s.dequeue(a).dequeue(b);
    s.live_in(&context);
    (void)s.start(delivery::always_posted, wait_mode::waits);
    put(a, 1);
    b->abandon(&context);
    BOOST_TEST(s.abandonments == 0);
    BOOST_TEST(s.deliveries == 1);
    s.finish();
    BOOST_TEST(s.got() == "1");
}

// two selects at a rendezvous

BOOST_AUTO_TEST_CASE(describe_names_all_branches)
{
    int element = 5;
    recording_select s;
    s.dequeue(a).dequeue_many(b, 4).enqueue(b, element);
    BOOST_TEST(
        s.describe() ==
        "select(dequeue on queue 'a', dequeue_many(4) on queue 'b', enqueue on queue 'b')"
    );
}

BOOST_AUTO_TEST_SUITE_END()
