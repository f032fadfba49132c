// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/wait_hub.hpp>

#include "support/printing.hpp"
#include "support/run_threads.hpp"
#include <sluice/error.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <functional>
#include <latch>
#include <list>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace detail = sluice::detail;
namespace test = sluice::test;
using boost::asio::error::operation_aborted;
using detail::delivery;
using detail::wait_mode;
using phase = detail::waiter::phase;
using sluice::errc;
using sluice::error_code;

namespace {

class recording_hub;

// A waiter that holds something, and calls back when it is told or abandoned.
class recording_waiter final : public detail::waiter
{
public:
    explicit recording_waiter(std::string label = "operation")
        : waiter(0), label_(std::move(label))
    {
    }

    bool holds = false;
    int suspensions = 0;
    int deliveries = 0;
    int abandonments = 0;
    std::function<void()> on_deliver = [] {};

private:
    void suspend() noexcept override { ++suspensions; }

    void deliver() noexcept override
    {
        ++deliveries;
        on_deliver();
    }

    void abandon() noexcept override { ++abandonments; }

    [[nodiscard]] std::string describe() const override { return label_; }

    std::string label_;
};

// The simplest hub: tokens, and a line of waiters that each want one.
class recording_hub final : public detail::wait_hub
{
public:
    explicit recording_hub(bool* destroyed = nullptr) noexcept : destroyed_(destroyed) {}

    ~recording_hub() override
    {
        if (destroyed_ != nullptr)
            *destroyed_ = true;
    }

    [[nodiscard]] bool start(
        recording_waiter& w,
        delivery how = delivery::always_posted,
        wait_mode waits = wait_mode::waits
    ) noexcept
    {
        critical_section section(*this);
        if (w.failed()) {
            section.decide(w);
        } else {
            append(line_, w);
            settle(section);
        }
        return conclude(w, how, waits, section);
    }

    void add(int tokens) noexcept
    {
        critical_section section(*this);
        tokens_ += tokens;
        settle(section);
    }

    void fail_all(error_code why) noexcept
    {
        critical_section section(*this);
        while (!line_.empty())
            section.decide_failed(line_.front(), why);
    }

    [[nodiscard]] int tokens() const noexcept
    {
        mutex_.lock();
        const int now = tokens_;
        mutex_.unlock();
        return now;
    }

    [[nodiscard]] std::string describe() const override { return "hub"; }

    std::vector<std::string> calls;          // of withdraw and reclaim
    std::vector<const void*> dead_contexts;  // told by context_destroyed
    bool refuses_to_reclaim = false;

private:
    void settle(critical_section& section) noexcept override
    {
        for (; tokens_ > 0 && !line_.empty(); --tokens_) {
            auto& next = static_cast<recording_waiter&>(line_.front());
            next.holds = true;
            section.decide(next);
        }
    }

    void withdraw(detail::waiter&) noexcept override { calls.push_back("withdraw"); }

    bool reclaim(detail::waiter& target) noexcept override
    {
        calls.push_back("reclaim");
        if (refuses_to_reclaim)
            return false;
        static_cast<recording_waiter&>(target).holds = false;
        ++tokens_;
        return true;
    }

    void collect(const void* context, detail::waiter_list& abandoned) noexcept override
    {
        collect_from(line_, context, abandoned);
    }

    void context_destroyed(const void* context) noexcept override
    {
        dead_contexts.push_back(context);
    }

    detail::waiter_list line_;
    int tokens_ = 0;
    bool* destroyed_;
};

using recording_hub_ptr = boost::intrusive_ptr<recording_hub>;

struct hub_fixture
{
    recording_hub_ptr hub{new recording_hub};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(wait_hub, hub_fixture)

// H1, H2: deciding and delivering

BOOST_AUTO_TEST_CASE(waiters_are_told_in_the_order_decided)  // H2
{
    std::string order;
    std::list<recording_waiter> waiters;
    for (const char* const label : {"a", "b", "c"}) {
        recording_waiter& w = waiters.emplace_back(label);
        w.on_deliver = [&order, label] { order += label; };
        (void)hub->start(w);
        BOOST_TEST(w.suspensions == 1);
        BOOST_TEST(w.is_linked());
    }
    hub->add(2);
    BOOST_TEST(order == "ab");
    BOOST_TEST(!waiters.front().is_linked());
    BOOST_TEST(waiters.back().is_waiting());
    hub->fail_all(errc::timed_out);
    BOOST_TEST(order == "abc");
    BOOST_TEST(waiters.back().error() == errc::timed_out);
}

BOOST_AUTO_TEST_CASE(deliveries_run_without_the_lock)  // H2
{
    recording_waiter first;
    recording_waiter second;
    int seen = -1;
    first.on_deliver = [&] {
        seen = hub->tokens();  // would not return under the lock
        hub->add(1);
    };
    (void)hub->start(first);
    (void)hub->start(second);
    hub->add(1);
    BOOST_TEST(seen == 0);
    BOOST_TEST(second.deliveries == 1);
}

BOOST_AUTO_TEST_CASE(ready_waiter_goes_back_to_its_caller_or_is_delivered)
{
    hub->add(2);
    recording_waiter inline_one;
    BOOST_TEST(hub->start(inline_one, delivery::inline_if_ready));
    BOOST_TEST(inline_one.suspensions + inline_one.deliveries == 0);
    BOOST_CHECK(inline_one.phase_ == phase::delivered);

    recording_waiter posted;
    BOOST_TEST(!hub->start(posted, delivery::always_posted));
    BOOST_TEST(posted.suspensions == 1);
    BOOST_TEST(posted.deliveries == 1);
    BOOST_CHECK(posted.phase_ == phase::decided);
}

BOOST_AUTO_TEST_CASE(impatient_waiter_is_withdrawn_and_times_out)
{
    recording_waiter w;
    BOOST_TEST(hub->start(w, delivery::inline_if_ready, wait_mode::gives_up));
    BOOST_TEST(w.error() == errc::timed_out);
    BOOST_TEST(!w.is_linked());
    BOOST_TEST(hub->calls == std::vector<std::string>{"withdraw"});
    hub->add(1);
    BOOST_TEST(hub->tokens() == 1);
}

// cancelling

BOOST_AUTO_TEST_CASE(cancelled_before_the_start_fails_at_the_start)
{
    hub->add(1);
    recording_waiter w;
    hub->cancel(w, operation_aborted);
    BOOST_TEST(w.deliveries == 0);
    (void)hub->start(w);
    BOOST_TEST(w.deliveries == 1);
    BOOST_TEST(w.error() == operation_aborted);
    BOOST_TEST(hub->tokens() == 1);
}

BOOST_AUTO_TEST_CASE(deadline_does_not_undo_a_cancellation_before_the_start)  // S17
{
    recording_waiter w;
    hub->cancel(w, operation_aborted);
    hub->cancel(w, errc::timed_out);
    BOOST_TEST(w.error() == operation_aborted);
}

BOOST_AUTO_TEST_CASE(deadline_does_not_undo_what_was_ready_at_once)  // S3
{
    hub->add(1);
    recording_waiter w;
    (void)hub->start(w);
    BOOST_TEST(w.deliveries == 1);
    hub->cancel(w, errc::timed_out);
    BOOST_TEST(!w.failed());
    BOOST_TEST(hub->tokens() == 0);
    hub->cancel(w, operation_aborted);  // as S1 wants it
    BOOST_TEST(w.error() == operation_aborted);
    BOOST_TEST(hub->tokens() == 1);
}

BOOST_AUTO_TEST_CASE(cancelled_while_it_waits_ends_now)
{
    recording_waiter w;
    (void)hub->start(w);
    hub->cancel(w, operation_aborted);
    BOOST_TEST(w.deliveries == 1);
    BOOST_TEST(w.error() == operation_aborted);
    BOOST_TEST(!w.is_linked());
    hub->cancel(w, errc::timed_out);
    BOOST_TEST(w.deliveries == 1);
    BOOST_TEST(w.error() == operation_aborted);
}

BOOST_AUTO_TEST_CASE(cancelled_after_the_decision_gives_back_to_the_next)
{
    recording_waiter first;
    (void)hub->start(first);
    hub->add(1);
    recording_waiter second;
    (void)hub->start(second);
    hub->cancel(first, operation_aborted);
    BOOST_TEST(first.error() == operation_aborted);
    BOOST_TEST(!first.holds);
    BOOST_TEST(first.deliveries == 1);  // it was on its way already
    BOOST_TEST(second.holds);
    BOOST_TEST(second.deliveries == 1);
}

BOOST_AUTO_TEST_CASE(outcome_that_cannot_be_undone_stands)
{
    hub->refuses_to_reclaim = true;
    recording_waiter w;
    (void)hub->start(w);
    hub->add(1);
    hub->cancel(w, operation_aborted);
    BOOST_TEST(!w.failed());
    BOOST_TEST(w.holds);
    hub->finish_delivery(w);
    BOOST_CHECK(w.phase_ == phase::delivered);
}

BOOST_AUTO_TEST_CASE(cancelled_after_the_delivery_is_too_late)
{
    recording_waiter w;
    (void)hub->start(w);
    hub->add(1);
    hub->finish_delivery(w);
    hub->cancel(w, operation_aborted);
    BOOST_TEST(!w.failed());
    BOOST_TEST(hub->calls.empty());
}

BOOST_AUTO_TEST_CASE(failure_is_not_reclaimed)
{
    recording_waiter w;
    (void)hub->start(w);
    hub->fail_all(errc::queue_closed);
    hub->cancel(w, operation_aborted);
    BOOST_TEST(w.error() == errc::queue_closed);
    BOOST_TEST(hub->calls.empty());
}

// forgetting

BOOST_AUTO_TEST_CASE(forgotten_waiter_is_told_nothing)
{
    for (const auto state :
         {detail::wait_hub::deliveries::over, detail::wait_hub::deliveries::may_run}) {
        recording_waiter w;
        (void)hub->start(w);
        hub->forget(w, state);
        BOOST_TEST(!w.is_linked());
        hub->add(1);
        BOOST_TEST(w.deliveries == 0);
        BOOST_TEST(hub->tokens() == 1);
        hub->add(-1);
    }
}

BOOST_AUTO_TEST_CASE(forgotten_decided_waiter_gives_back)
{
    recording_waiter w;
    (void)hub->start(w);
    hub->add(1);
    hub->forget(w, detail::wait_hub::deliveries::may_run);
    BOOST_TEST(!w.holds);
    BOOST_TEST(hub->tokens() == 1);
    BOOST_CHECK(w.phase_ == phase::delivered);
}

BOOST_AUTO_TEST_CASE(forget_waits_for_a_delivery_that_still_runs)
{
    recording_waiter w;
    std::latch inside(1);
    std::latch may_end(1);
    std::atomic<bool> ended{false};
    w.on_deliver = [&] {
        inside.count_down();
        may_end.wait();
        ended = true;
    };
    (void)hub->start(w);
    bool ended_before_forget = false;
    test::run_threads(3, [&](std::size_t index) {
        if (index == 0)
            hub->add(1);
        else if (index == 1) {
            inside.wait();
            hub->forget(w, detail::wait_hub::deliveries::may_run);
            ended_before_forget = ended;
        } else {
            inside.wait();
            may_end.count_down();
        }
    });
    BOOST_TEST(ended_before_forget);
}

// H3: references

BOOST_AUTO_TEST_CASE(hub_lives_as_long_as_its_references)  // H3
{
    bool destroyed = false;
    recording_hub_ptr first(new recording_hub(&destroyed));
    detail::hub_ptr second = first;
    first.reset();
    BOOST_TEST(!destroyed);
    second.reset();
    BOOST_TEST(destroyed);
}

BOOST_AUTO_TEST_CASE(hub_outlives_a_delivery_that_drops_the_last_reference)  // H3
{
    bool destroyed = false;
    bool destroyed_inside = false;
    recording_hub_ptr owner(new recording_hub(&destroyed));
    recording_waiter first;
    recording_waiter second;
    (void)owner->start(first);
    (void)owner->start(second);
    first.on_deliver = [&] {
        owner.reset();
        destroyed_inside = destroyed;
    };
    owner->add(2);
    BOOST_TEST(!destroyed_inside);
    BOOST_TEST(second.deliveries == 1);
    BOOST_TEST(destroyed);
}

// H4: abandoning

BOOST_AUTO_TEST_CASE(abandon_frees_the_waiters_of_that_context_only)  // H4
{
    const int dying = 0;
    const int living = 0;
    recording_waiter first;
    recording_waiter second;
    first.context_ = &dying;
    second.context_ = &living;
    (void)hub->start(first);
    (void)hub->start(second);
    hub->abandon(&dying);
    BOOST_TEST(first.abandonments == 1);
    BOOST_TEST(first.deliveries == 0);
    BOOST_TEST(second.abandonments == 0);
    BOOST_TEST(second.is_waiting());
    BOOST_TEST((hub->dead_contexts == std::vector<const void*>{&dying}));
    hub->add(1);
    BOOST_TEST(second.holds);
}

BOOST_AUTO_TEST_CASE(abandon_returns_when_earlier_deliveries_are_over)  // H4
{
    const int dying = 0;
    recording_waiter w;
    w.context_ = &dying;
    std::latch inside(1);
    std::latch may_end(1);
    std::atomic<bool> ended{false};
    w.on_deliver = [&] {
        inside.count_down();
        may_end.wait();
        ended = true;
    };
    (void)hub->start(w);
    bool ended_before_abandon = false;
    test::run_threads(3, [&](std::size_t index) {
        if (index == 0)
            hub->add(1);
        else if (index == 1) {
            inside.wait();
            hub->abandon(&dying);
            ended_before_abandon = ended;
        } else {
            inside.wait();
            may_end.count_down();
        }
    });
    BOOST_TEST(ended_before_abandon);
    BOOST_TEST(w.abandonments == 0);
}

// registries

BOOST_AUTO_TEST_CASE(registry_abandons_the_waiters_of_all_its_hubs)
{
    const int context = 0;
    const auto registry = std::make_shared<detail::hub_registry>(&context);
    const recording_hub_ptr other(new recording_hub);
    recording_waiter here;
    recording_waiter there;
    here.context_ = &context;
    there.context_ = &context;
    hub->attach(registry);
    hub->attach(registry);  // a second time is harmless
    other->attach(registry);
    (void)hub->start(here);
    (void)other->start(there);
    registry->shut_down();
    BOOST_TEST(here.abandonments == 1);
    BOOST_TEST(there.abandonments == 1);
    BOOST_TEST(hub->dead_contexts.size() == 1U);
    hub->detach();
    other->detach();
}

BOOST_AUTO_TEST_CASE(detached_hub_is_left_alone_and_released)
{
    const int context = 0;
    bool destroyed = false;
    const auto registry = std::make_shared<detail::hub_registry>(&context);
    recording_hub_ptr attached(new recording_hub(&destroyed));
    attached->attach(registry);
    attached->detach();
    attached->detach();
    registry->shut_down();
    BOOST_TEST(attached->dead_contexts.empty());
    attached.reset();
    BOOST_TEST(destroyed);
}

BOOST_AUTO_TEST_CASE(registry_of_a_dead_context_keeps_nothing_alive)
{
    const int context = 0;
    bool destroyed = false;
    const auto registry = std::make_shared<detail::hub_registry>(&context);
    registry->shut_down();
    recording_hub_ptr late(new recording_hub(&destroyed));
    late->attach(registry);
    late.reset();
    BOOST_TEST(destroyed);
}

BOOST_AUTO_TEST_CASE(registry_keeps_an_attached_hub_alive)
{
    const int context = 0;
    bool destroyed = false;
    const auto registry = std::make_shared<detail::hub_registry>(&context);
    recording_hub_ptr attached(new recording_hub(&destroyed));
    attached->attach(registry);
    attached.reset();
    BOOST_TEST(!destroyed);
    registry->shut_down();
    // the hub holds the registry and, until detach, the registry held the hub
    BOOST_TEST(destroyed);
}

BOOST_AUTO_TEST_CASE(detach_waits_for_a_delivery_that_has_begun)  // H4
{
    const recording_hub_ptr h(new recording_hub);
    recording_waiter w;
    std::latch inside(1);
    std::latch leaving(1);
    std::atomic<bool> delivered{false};
    w.on_deliver = [&] {
        inside.count_down();
        leaving.wait();
        for (int i = 0; i < 1000; ++i)
            std::this_thread::yield();
        delivered = true;
    };
    (void)h->start(w);
    std::jthread delivers([&] { h->add(1); });
    inside.wait();
    leaving.count_down();
    h->detach();
    BOOST_TEST(delivered);
}

BOOST_AUTO_TEST_CASE(detach_inside_a_delivery_is_put_off_to_its_end)  // H4
{
    bool destroyed = false;
    int context = 0;
    const auto registry = std::make_shared<detail::hub_registry>(&context);
    recording_hub_ptr h(new recording_hub(&destroyed));
    h->attach(registry);
    recording_waiter first;
    recording_waiter second;
    first.on_deliver = [&] {
        h->detach();
        h.reset();
        BOOST_TEST(!destroyed);
    };
    second.on_deliver = [&] { BOOST_TEST(!destroyed); };
    (void)h->start(first);
    (void)h->start(second);
    h->add(2);
    BOOST_TEST(second.deliveries == 1);
    BOOST_TEST(destroyed);
}

BOOST_AUTO_TEST_CASE(context_that_dies_inside_a_delivery_is_known_until_its_end)  // H4
{
    int context = 0;
    const auto registry = std::make_shared<detail::hub_registry>(&context);
    const recording_hub_ptr h(new recording_hub);
    h->attach(registry);
    recording_waiter first;
    recording_waiter second;
    second.context_ = &context;
    first.on_deliver = [&] {
        h->detach();
        registry->shut_down();
    };
    (void)h->start(first);
    (void)h->start(second);
    h->add(2);
    BOOST_TEST(second.deliveries == 0);
    BOOST_TEST(second.abandonments == 1);
}

BOOST_AUTO_TEST_CASE(abandon_inside_a_delivery_takes_what_is_left_of_it)  // H4
{
    int dead = 0;
    int alive = 0;
    recording_waiter first;
    recording_waiter second;
    recording_waiter third;
    first.context_ = second.context_ = &dead;
    third.context_ = &alive;
    first.on_deliver = [&] { hub->abandon(&dead); };
    for (recording_waiter* w : {&first, &second, &third})
        (void)hub->start(*w);
    hub->add(3);
    BOOST_TEST(second.deliveries == 0);
    BOOST_TEST(second.abandonments == 1);
    BOOST_TEST(third.deliveries == 1);
    BOOST_TEST(third.abandonments == 0);
}

BOOST_AUTO_TEST_CASE(inside_the_delivery_of_another_hub_nothing_is_put_off)  // H4
{
    int dead = 0;
    const auto registry = std::make_shared<detail::hub_registry>(&dead);
    const recording_hub_ptr other(new recording_hub);
    other->attach(registry);
    recording_waiter first;
    recording_waiter second;
    recording_waiter there;
    second.context_ = there.context_ = &dead;
    first.on_deliver = [&] {
        other->detach();
        registry->shut_down();
        BOOST_TEST(there.abandonments == 0);
        other->abandon(&dead);
        BOOST_TEST(there.abandonments == 1);
    };
    (void)other->start(there);
    (void)hub->start(first);
    (void)hub->start(second);
    hub->add(2);
    BOOST_TEST(second.deliveries == 1);
}

BOOST_AUTO_TEST_CASE(dead_home_context_is_no_home)
{
    const recording_hub_ptr h(new recording_hub);
    int home = 0;
    int other = 0;
    h->set_home_context(&home);
    h->abandon(&other);
    BOOST_TEST(h->home_context() == &home);
    h->abandon(&home);
    BOOST_TEST(h->home_context() == nullptr);
}

// races

BOOST_AUTO_TEST_CASE(racing_cancellation_and_delivery_agree_about_the_token)
{
    int handed = 0;
    int returned = 0;
    for (int round = 0; round < 300; ++round) {
        const recording_hub_ptr h(new recording_hub);
        recording_waiter w;
        std::atomic<bool> told{false};
        w.on_deliver = [&] { told = true; };
        (void)h->start(w);
        test::run_threads(3, [&](std::size_t index) {
            if (index == 0)
                h->add(1);
            else if (index == 1)
                h->cancel(w, operation_aborted);
            else {
                while (!told)
                    std::this_thread::yield();
                h->finish_delivery(w);
            }
        });
        BOOST_TEST(w.deliveries == 1);
        BOOST_TEST(h->tokens() == (w.failed() ? 1 : 0));
        BOOST_TEST(w.holds == !w.failed());
        ++(w.failed() ? returned : handed);
    }
    BOOST_TEST(handed + returned == 300);
}

BOOST_AUTO_TEST_SUITE_END()
