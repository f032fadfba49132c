// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/linked_list.hpp>

#include <boost/test/unit_test.hpp>

#include <optional>
#include <utility>
#include <vector>

namespace detail = sluice::detail;

namespace linked_list {

struct other_tag;

struct entry : detail::list_hook<>, detail::list_hook<other_tag>
{
    explicit entry(int of) : number(of) {}

    int number;
};

using entries = detail::linked_list<entry, detail::list_hook<>>;
using other_entries = detail::linked_list<entry, detail::list_hook<other_tag>>;

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

BOOST_AUTO_TEST_CASE(entries_are_in_the_order_in_which_they_were_added)
{
    entry one{1};
    entry two{2};
    entry three{3};
    entries list;
    BOOST_TEST(list.empty());
    list.push_back(two);
    list.push_back(three);
    list.push_front(one);
    BOOST_TEST((numbers_in(list) == numbers{1, 2, 3}));
    BOOST_TEST(list.size() == 3U);
    BOOST_TEST(&list.front() == &one);
    BOOST_TEST(&list.take_front() == &one);
    BOOST_TEST((numbers_in(list) == numbers{2, 3}));
    BOOST_TEST(!one.detail::list_hook<>::is_linked());
}

BOOST_AUTO_TEST_CASE(an_entry_that_is_destroyed_or_unlinked_leaves_its_list)
{
    entry one{1};
    std::optional<entry> two(std::in_place, 2);
    entry three{3};
    entries list;
    list.push_back(one);
    list.push_back(*two);
    list.push_back(three);
    two.reset();
    BOOST_TEST((numbers_in(list) == numbers{1, 3}));
    one.detail::list_hook<>::unlink();
    one.detail::list_hook<>::unlink();  // does nothing
    BOOST_TEST((numbers_in(list) == numbers{3}));
    list.push_back(one);
    BOOST_TEST((numbers_in(list) == numbers{3, 1}));
}

BOOST_AUTO_TEST_CASE(an_entry_with_two_hooks_is_in_two_lists)
{
    entry one{1};
    entry two{2};
    entries list;
    other_entries others;
    list.push_back(one);
    others.push_back(two);
    others.push_back(one);
    BOOST_TEST(&list.take_front() == &one);
    BOOST_TEST(list.empty());
    BOOST_TEST((numbers_in(others) == numbers{2, 1}));
    BOOST_TEST(one.detail::list_hook<other_tag>::is_linked());
}

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
    BOOST_TEST(!one.detail::list_hook<>::is_linked());
}

BOOST_AUTO_TEST_SUITE_END()
