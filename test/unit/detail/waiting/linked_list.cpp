// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/linked_list.hpp>

#include <boost/test/unit_test.hpp>

#include <utility>
#include <vector>

namespace detail = sluice::detail;

namespace linked_list {

struct entry : detail::list_hook<>
{
    explicit entry(int of) : number(of) {}

    int number;
};

using entries = detail::linked_list<entry, detail::list_hook<>>;

template <class List>
std::vector<int> numbers_in(const List& list)
{
    std::vector<int> numbers;
    for (const entry& each : list)
        numbers.push_back(each.number);
    return numbers;
}

using numbers = std::vector<int>;

}  // namespace linked_list

BOOST_AUTO_TEST_SUITE(linked_list)

BOOST_AUTO_TEST_CASE(splice_moves_all_behind_the_others)
{
    entry one{1};
    entry two{2};
    entry three{3};
    entries list;
    entries more;
    list.splice_back(more);
    BOOST_TEST(list.empty());
    more.push_back(two);
    more.push_back(three);
    list.push_back(one);
    list.splice_back(more);
    BOOST_TEST(more.empty());
    BOOST_TEST((numbers_in(list) == numbers{1, 2, 3}));
    const entries moved(std::move(list));
    BOOST_TEST((numbers_in(moved) == numbers{1, 2, 3}));
    BOOST_TEST(list.empty());
}

BOOST_AUTO_TEST_CASE(the_end_of_a_list_leaves_its_entries_unlinked)
{
    entry one{1};
    {
        entries list;
        list.push_back(one);
    }
    BOOST_TEST(!one.is_linked());
}

BOOST_AUTO_TEST_SUITE_END()
