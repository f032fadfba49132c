// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/hub_registry.hpp>

#include "unit/detail/waiting/recording_hub.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <vector>

namespace detail = sluice::detail;
using sluice::test::recording_hub;
using sluice::test::recording_hub_ptr;
using sluice::test::recording_waiter;

namespace hub_registry {

struct registry_fixture
{
    const int context = 0;
    std::shared_ptr<detail::hub_registry> registry =
        std::make_shared<detail::hub_registry>(&context);
    bool destroyed = false;
    recording_hub_ptr hub{new recording_hub(&destroyed)};
};

}  // namespace hub_registry

BOOST_FIXTURE_TEST_SUITE(hub_registry, registry_fixture)

BOOST_AUTO_TEST_CASE(shut_down_registry_abandons_the_waiters_of_all_its_hubs)
{
    const recording_hub_ptr other(new recording_hub);
    recording_waiter here;
    recording_waiter there;
    here.context_ = &context;
    there.context_ = &context;
    BOOST_TEST(hub->attach(registry));
    BOOST_TEST(hub->attach(registry));  // a second time is harmless
    BOOST_TEST(other->attach(registry));
    hub->start(here);
    other->start(there);
    registry->shut_down();
    BOOST_TEST(here.abandonments == 1);
    BOOST_TEST(there.abandonments == 1);
}

BOOST_AUTO_TEST_CASE(hub_knows_the_contexts_that_it_is_attached_to_until_they_die)
{
    BOOST_TEST(!hub->knows(&context));
    BOOST_TEST(hub->attach(registry));
    BOOST_TEST(hub->knows(&context));
    registry->shut_down();
    BOOST_TEST(!hub->knows(&context));
}

BOOST_AUTO_TEST_CASE(hub_knows_its_home_until_that_dies)
{
    hub->attach_home(registry);
    BOOST_TEST(hub->knows(&context));
    registry->shut_down();
    BOOST_TEST(!hub->knows(&context));
    BOOST_TEST(hub->dead_homes == 1);
}

BOOST_AUTO_TEST_CASE(death_of_another_context_leaves_the_home)
{
    const int elsewhere = 0;
    const auto other = std::make_shared<detail::hub_registry>(&elsewhere);
    hub->attach_home(registry);
    BOOST_TEST(hub->attach(other));
    other->shut_down();
    BOOST_TEST(hub->dead_homes == 0);
    BOOST_TEST(hub->knows(&context));
    BOOST_TEST(!hub->knows(&elsewhere));
    hub->detach();
}

BOOST_AUTO_TEST_CASE(detached_hub_is_left_alone_and_released)
{
    BOOST_TEST(hub->attach(registry));
    hub->detach();
    hub->detach();
    registry->shut_down();
    BOOST_TEST(hub->dead_homes == 0);
    hub.reset();
    BOOST_TEST(destroyed);
}

BOOST_AUTO_TEST_CASE(registry_of_a_dead_context_keeps_nothing_alive)
{
    registry->shut_down();
    BOOST_TEST(!hub->attach(registry));
    hub.reset();
    BOOST_TEST(destroyed);
}

// The next context may be made at the address of the dead one.
BOOST_AUTO_TEST_CASE(attaching_to_a_dead_context_does_not_stand_for_the_next_one)
{
    registry->shut_down();
    BOOST_TEST(!hub->attach(registry));
    hub->attach_home(registry);
    BOOST_TEST(!hub->knows(&context));
    const auto next = std::make_shared<detail::hub_registry>(&context);
    BOOST_TEST(hub->attach(next));
    recording_waiter waiting;
    waiting.context_ = &context;
    hub->start(waiting);
    next->shut_down();
    BOOST_TEST(waiting.abandonments == 1);
}

BOOST_AUTO_TEST_CASE(registry_keeps_an_attached_hub_alive)
{
    BOOST_TEST(hub->attach(registry));
    hub.reset();
    BOOST_TEST(!destroyed);
    registry->shut_down();
    // the hub holds the registry and, until then, the registry held the hub
    BOOST_TEST(destroyed);
}

BOOST_AUTO_TEST_SUITE_END()
