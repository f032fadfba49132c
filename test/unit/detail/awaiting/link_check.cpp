// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/link_check.hpp>

#include <boost/test/unit_test.hpp>

#include <iterator>
#include <set>

namespace differ = sluice::detail::program_and_library_differ_in;

BOOST_AUTO_TEST_SUITE(link_check)

// That others do not link is what the tests link.* show.
BOOST_AUTO_TEST_CASE(library_has_what_its_program_was_compiled_with)
{
    std::set<const char*> found;
    for (const char* const fact : differ::facts)
        if (fact != nullptr)
            found.insert(fact);
    BOOST_TEST(found.size() == std::size(differ::facts));
}

BOOST_AUTO_TEST_SUITE_END()
