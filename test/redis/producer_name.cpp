// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/detail/producer_name.hpp>

#include "support/redis/remote_parts.hpp"
#include <sluice/redis/redis_error.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace detail = sluice::redis::detail;
namespace redis = sluice::redis;
namespace test = sluice::test;
using standing = detail::producer_name::standing;

namespace producer_name {

// The words of one more opening.
std::string open(detail::producer_name& name)
{
    detail::command text;
    name.write_opening(text);
    return test::words_of(text);
}

// Who enqueues, without the name.
std::string process_of(const detail::producer_name& name)
{
    detail::command text;
    name.write(text);
    const std::string words = test::words_of(text);
    return words.substr(words.find("p:"), words.rfind(' ') - words.find("p:"));
}

bool is(detail::producer_name::standing told, detail::producer_name::standing expected)
{
    return told == expected;
}

}  // namespace producer_name

BOOST_AUTO_TEST_SUITE(producer_name)

using ::producer_name::is;
using ::producer_name::open;
using ::producer_name::process_of;

BOOST_AUTO_TEST_CASE(process_without_a_name_enqueues_as_itself_and_wants_none)
{
    detail::producer_name none("");
    BOOST_TEST(none.empty());
    BOOST_TEST(!none.is_wanted());
    detail::command text;
    none.write(text);
    BOOST_TEST(test::words_of(text) == process_of(none) + ' ');
    BOOST_TEST(is(none.on_opened("p:1#1", 7), standing::held));
    BOOST_TEST(process_of(none) != process_of(detail::producer_name("")));
}

// (E4)
BOOST_AUTO_TEST_CASE(enqueue_keeps_the_number_that_it_got_first)
{
    detail::producer_name name("import");
    test::plain_producer first(nullptr, std::vector<detail::record>{{"1", 0}});
    test::plain_producer second(nullptr, std::vector<detail::record>{{"2", 0}});
    name.number(first);
    name.number(second);
    name.number(first);
    BOOST_TEST(first.number == 1U);
    BOOST_TEST(second.number == 2U);
}

// (E6)
BOOST_AUTO_TEST_CASE(name_is_held_once_the_server_names_this_opening)
{
    detail::producer_name name("import");
    BOOST_TEST(name.is_wanted());
    const std::string first = open(name);
    BOOST_TEST(first == "import " + process_of(name) + "  ");
    BOOST_TEST(process_of(name).ends_with("#1"));
    BOOST_TEST(is(name.on_opened("p:1#3", 0), standing::not_yet));
    BOOST_TEST(open(name) == "import " + process_of(name) + " p:1#3 ");
    BOOST_TEST(process_of(name).ends_with("#2"));
    BOOST_TEST(is(name.on_opened(process_of(name), 0), standing::held));
}

// (E6) The answer to that one was lost.
BOOST_AUTO_TEST_CASE(name_of_an_earlier_opening_is_taken_over)
{
    detail::producer_name name("import");
    open(name);
    const std::string earlier = process_of(name);
    open(name);
    BOOST_TEST(is(name.on_opened(earlier, 0), standing::not_yet));
    BOOST_TEST(open(name) == "import " + process_of(name) + ' ' + earlier + ' ');
    BOOST_TEST(is(name.on_opened(process_of(name), 0), standing::held));
}

// (E6)
BOOST_AUTO_TEST_CASE(name_that_was_held_is_not_taken_back)
{
    for (const std::string owner : {"p:1#1", ""}) {
        detail::producer_name name("import");
        open(name);
        BOOST_TEST(is(name.on_opened(process_of(name), 0), standing::held));
        open(name);
        const auto now = name.on_opened(owner, 0);
        BOOST_TEST(is(now, owner.empty() ? standing::forgotten : standing::taken));
    }
}

// (E6)
BOOST_AUTO_TEST_CASE(server_that_does_not_know_the_last_enqueue_has_forgotten_the_name)
{
    detail::producer_name name("import");
    open(name);
    BOOST_TEST(is(name.on_opened(process_of(name), 0), standing::held));
    test::plain_producer added(nullptr, std::vector<detail::record>{{"1", 0}});
    name.number(added);
    name.note_added(added);
    open(name);
    BOOST_TEST(is(name.on_opened(process_of(name), 1), standing::held));
    open(name);
    BOOST_TEST(is(name.on_opened(process_of(name), 0), standing::forgotten));
}

BOOST_AUTO_TEST_CASE(fenced_name_is_wanted_no_more)
{
    detail::producer_name name("import");
    open(name);
    BOOST_TEST(!name.fenced().code.failed());
    name.fence({redis::errc::producer_fenced});
    BOOST_TEST((name.fenced().code == redis::errc::producer_fenced));
    BOOST_TEST(!name.is_wanted());
    BOOST_TEST(!name.empty());
    BOOST_TEST(is(name.on_opened("p:1#1", 9), standing::held));
}

BOOST_AUTO_TEST_SUITE_END()
