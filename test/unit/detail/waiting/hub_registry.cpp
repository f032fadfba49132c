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

BOOST_AUTO_TEST_CASE(hub_knows_its_home_until_that_dies)
{
    hub->attach_home(registry);
    BOOST_TEST(hub->knows(&context));
    registry->shut_down();
    BOOST_TEST(!hub->knows(&context));
    BOOST_TEST(hub->dead_homes == 1);
}

BOOST_AUTO_TEST_CASE(registry_of_a_dead_context_keeps_nothing_alive)
{
    registry->shut_down();
    BOOST_TEST(!hub->attach(registry));
    hub.reset();
    BOOST_TEST(destroyed);
}

BOOST_AUTO_TEST_SUITE_END()
