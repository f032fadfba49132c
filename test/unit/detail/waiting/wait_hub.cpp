// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/wait_hub.hpp>

#include "support/printing.hpp"
#include "support/run_threads.hpp"
#include "unit/detail/waiting/recording_hub.hpp"
#include <sluice/detail/waiting/hub_registry.hpp>
#include <sluice/error.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <thread>

namespace detail = sluice::detail;
namespace test = sluice::test;
using boost::asio::error::operation_aborted;
using phase = detail::waiter::phase;
using sluice::errc;
using test::recording_hub;
using test::recording_hub_ptr;
using test::recording_waiter;

namespace wait_hub {

struct hub_fixture
{
    recording_hub_ptr hub{new recording_hub};
};

}  // namespace wait_hub

BOOST_FIXTURE_TEST_SUITE(wait_hub, hub_fixture)

// H1, H2: deciding and delivering

BOOST_AUTO_TEST_CASE(deliveries_run_without_the_lock)  // H2
{
    recording_waiter first;
    recording_waiter second;
    int seen = -1;
    first.on_deliver = [&] {
        seen = hub->tokens();  // would not return under the lock
        hub->add(1);
    };
    hub->start(first);
    hub->start(second);
    hub->add(1);
    BOOST_TEST(seen == 0);
    BOOST_TEST(second.deliveries == 1);
}

// cancelling

BOOST_AUTO_TEST_CASE(deadline_does_not_undo_what_was_ready_at_once)  // S3
{
    hub->add(1);
    recording_waiter w;
    hub->start(w);
    BOOST_TEST(w.deliveries == 1);
    hub->cancel(w, errc::timed_out);
    BOOST_TEST(!w.failed());
    BOOST_TEST(hub->tokens() == 0);
    hub->cancel(w, operation_aborted);  // as S1 wants it
    BOOST_TEST(w.error() == operation_aborted);
    BOOST_TEST(hub->tokens() == 1);
}

// forgetting

BOOST_AUTO_TEST_CASE(forgotten_decided_waiter_gives_back_and_waits_for_its_delivery)
{
    recording_waiter w;
    hub->start(w);
    hub->add(1);
    BOOST_TEST(hub->forget(w));
    BOOST_TEST(!w.holds);
    BOOST_TEST(hub->tokens() == 1);
    BOOST_CHECK(w.phase_ == phase::delivered);
}

BOOST_AUTO_TEST_CASE(waiters_behind_a_forgotten_one_are_decided_and_not_delivered)  // H2
{
    recording_waiter first;
    recording_waiter second;
    recording_waiter third;
    hub->start(first);
    hub->add(1);
    hub->start(second);
    hub->start(third);
    detail::waiter_list decided;
    BOOST_TEST(hub->forget(first, &decided));
    BOOST_TEST(second.holds);
    BOOST_TEST(second.deliveries == 0);
    BOOST_TEST(third.is_waiting());
    detail::wait_hub::deliver_all(decided);
    BOOST_TEST(second.deliveries == 1);
    BOOST_TEST(decided.empty());
}

BOOST_AUTO_TEST_CASE(forgotten_waiter_that_is_over_or_never_began_has_no_delivery)
{
    recording_waiter idle;
    BOOST_TEST(!hub->forget(idle));
    recording_waiter over;
    hub->start(over);
    hub->add(1);
    hub->finish_delivery(over);
    BOOST_TEST(!hub->forget(over));
    BOOST_TEST(over.holds);
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

BOOST_AUTO_TEST_CASE(references_of_registries_do_not_count)  // H3
{
    const int context = 0;
    const auto registry = std::make_shared<detail::hub_registry>(&context);
    const recording_hub_ptr mine(new recording_hub);
    BOOST_TEST(mine->attach(registry));
    BOOST_TEST(mine->references() == 1u);
    {
        const detail::hub_ptr another = mine;
        BOOST_TEST(mine->references() == 2u);
    }
    mine->detach();
    BOOST_TEST(mine->references() == 1u);
}

BOOST_AUTO_TEST_CASE(last_reference_may_be_dropped_in_a_delivery)  // H3
{
    bool destroyed = false;
    recording_hub_ptr owner(new recording_hub(&destroyed));
    recording_waiter first;
    recording_waiter second;
    owner->start(first);
    owner->start(second);
    first.on_deliver = [&] { owner.reset(); };
    owner->add(2);
    BOOST_TEST(second.deliveries == 1);
    BOOST_TEST(destroyed);
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
        h->start(w);
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
