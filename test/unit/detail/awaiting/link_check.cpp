// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/link_check.hpp>

#include <boost/test/unit_test.hpp>

#include <iterator>
#include <set>

BOOST_AUTO_TEST_SUITE(link_check)

// That others do not link is what the tests link.* show.
BOOST_AUTO_TEST_CASE(library_has_what_its_program_was_compiled_with)
{
    const auto& addresses = sluice::detail::settings_of_this_source.addresses;
    const std::set<const char*> found(std::begin(addresses), std::end(addresses));
    BOOST_TEST(found.size() == std::size(addresses));
    BOOST_TEST(!found.contains(nullptr));
}

BOOST_AUTO_TEST_SUITE_END()
