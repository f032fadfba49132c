// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/shortcut.hpp>

#include <boost/test/unit_test.hpp>

#include <concepts>

namespace detail = sluice::detail;

namespace {

struct waiter_without
{
};

struct waiter_with
{
    struct shortcut
    {
    };
};

}  // namespace

BOOST_AUTO_TEST_SUITE(shortcut)

BOOST_AUTO_TEST_CASE(shortcut_is_that_of_the_waiter_if_it_has_one)
{
    BOOST_TEST((std::same_as<detail::shortcut_of<waiter_with>, waiter_with::shortcut>));
    BOOST_TEST((std::same_as<detail::shortcut_of<waiter_without>, detail::no_shortcut>));
}

BOOST_AUTO_TEST_CASE(no_shortcut_leaves_everything_to_the_waiter)
{
    BOOST_TEST((detail::no_shortcut::attempt(1) == detail::attempt::unclear));
}

BOOST_AUTO_TEST_SUITE_END()
