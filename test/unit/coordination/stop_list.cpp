// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/detail/stop_list.hpp>

#include "support/allocation_counter.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <utility>

namespace detail = sluice::detail;

namespace stop_list {

struct member;
using member_ptr = std::shared_ptr<member>;

struct member : detail::stop_member<member_ptr>
{
    explicit member(char letter) : name(letter) {}

    char name;
};

using list = detail::stop_list<member, member_ptr>;

member_ptr add(list& to, char letter)
{
    auto added = std::make_shared<member>(letter);
    to.push_back(added);
    return added;
}

std::string names(const list& of)
{
    std::string text;
    of.for_each([&](const member_ptr& each) { text += each->name; });
    return text;
}

std::string tell(list& of)
{
    std::string text;
    while (const member_ptr next = of.take_untold())
        text += next->name;
    return text;
}

}  // namespace stop_list

BOOST_AUTO_TEST_SUITE(stop_list)

using ::stop_list::add;
using ::stop_list::list;
using ::stop_list::member_ptr;
using ::stop_list::names;
using ::stop_list::tell;

BOOST_AUTO_TEST_CASE(nothing_is_told_before_it_is_marked)
{
    list members;
    BOOST_TEST(members.empty());
    (void)add(members, 'a');
    BOOST_TEST(!members.empty());
    BOOST_TEST(members.take_untold() == nullptr);
}

BOOST_AUTO_TEST_CASE(all_that_are_marked_are_told_once_and_in_order)
{
    list members;
    for (const char letter : {'a', 'b', 'c'})
        (void)add(members, letter);
    members.mark_all();
    (void)add(members, 'd');
    BOOST_TEST(tell(members) == "abc");
    BOOST_TEST(tell(members).empty());
    BOOST_TEST(names(members) == "dabc");
    members.mark_all();
    BOOST_TEST(tell(members) == "dabc");
}

BOOST_AUTO_TEST_CASE(order_stays_while_some_are_told)
{
    list members;
    for (const char letter : {'a', 'b', 'c'})
        (void)add(members, letter);
    members.mark_all();
    BOOST_TEST(members.take_untold()->name == 'a');
    BOOST_TEST(names(members) == "abc");
    members.mark_all();  // a second stop meanwhile
    BOOST_TEST(tell(members) == "abc");
}

BOOST_AUTO_TEST_CASE(one_that_leaves_is_not_told)
{
    list members;
    const member_ptr a = add(members, 'a');
    const member_ptr b = add(members, 'b');
    const member_ptr c = add(members, 'c');
    members.mark_all();
    BOOST_TEST(members.erase(*b) == b);
    BOOST_TEST(members.erase(*b) == nullptr);
    BOOST_TEST(tell(members) == "ac");
    BOOST_TEST(members.erase(*a) == a);
    BOOST_TEST(members.erase(*c) == c);
    BOOST_TEST(members.empty());
}

BOOST_AUTO_TEST_CASE(members_are_kept_until_they_leave_or_the_list_goes)
{
    std::weak_ptr<::stop_list::member> left;
    std::weak_ptr<::stop_list::member> stayed;
    std::weak_ptr<::stop_list::member> untold;
    {
        list members;
        left = add(members, 'a');
        stayed = add(members, 'b');
        untold = add(members, 'c');
        members.mark_all();
        BOOST_TEST(members.erase(*left.lock()) != nullptr);
        BOOST_TEST(left.expired());
        BOOST_TEST(members.take_untold() == stayed.lock());
        BOOST_TEST(!stayed.expired());
    }
    BOOST_TEST(stayed.expired());
    BOOST_TEST(untold.expired());
}

BOOST_AUTO_TEST_CASE(a_stop_takes_no_memory)  // (C6)
{
    list members;
    const member_ptr a = add(members, 'a');
    (void)add(members, 'b');
    const sluice::test::allocation_counter counter;
    members.mark_all();
    while (members.take_untold() != nullptr) {}
    (void)members.erase(*a);
    BOOST_TEST(counter.count() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
