// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/linked_list.hpp>

#include <boost/test/unit_test.hpp>

namespace detail = sluice::detail;

namespace linked_list {

struct entry : detail::list_hook<>
{
};

using entries = detail::linked_list<entry, detail::list_hook<>>;

}  // namespace linked_list

BOOST_AUTO_TEST_SUITE(linked_list)

BOOST_AUTO_TEST_CASE(the_end_of_a_list_leaves_its_entries_unlinked)
{
    entry one;
    {
        entries list;
        list.push_back(one);
    }
    BOOST_TEST(!one.is_linked());
}

BOOST_AUTO_TEST_SUITE_END()
