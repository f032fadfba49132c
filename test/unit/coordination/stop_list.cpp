// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/detail/stop_list.hpp>

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

BOOST_AUTO_TEST_SUITE_END()
