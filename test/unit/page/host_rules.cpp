// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "page/host_rules.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace host_rules {

using rules_type = sluice::page::host_rules;  // the suite has its name

boost::asio::ip::address address(const char* text)
{
    return boost::asio::ip::make_address(text);
}

BOOST_AUTO_TEST_SUITE(host_rules)

BOOST_AUTO_TEST_CASE(names_of_the_loopback_are_allowed_with_any_port)
{
    const rules_type rules(address("127.0.0.1"), {});
    for (const char* host :
         {"127.0.0.1", "127.0.0.1:8080", "localhost", "LocalHost:9", "[::1]", "[::1]:80"})
        BOOST_TEST(rules.allows(host), host << " is refused");
}

BOOST_AUTO_TEST_CASE(any_other_name_or_address_is_refused)
{
    const rules_type rules(address("127.0.0.1"), {});
    for (const char* host :
         {"",
          "evil.example",
          "evil.example:8080",
          "localhost.evil.example",
          "127.0.0.1.evil.example",
          "192.168.0.7",
          "localhost:",
          "localhost:http",
          "localhost:99999",
          "[::1",
          "[]",
          "[::1]evil",
          "::1",
          "2130706433"})
        BOOST_TEST(!rules.allows(host), host << " is allowed");
}

BOOST_AUTO_TEST_CASE(the_address_that_it_listens_on_is_allowed)
{
    const rules_type rules(address("192.168.0.7"), {});
    BOOST_TEST(rules.allows("192.168.0.7:80"));
    BOOST_TEST(!rules.allows("192.168.0.8"));
}

BOOST_AUTO_TEST_CASE(listening_everywhere_allows_any_address_and_no_name)
{
    const rules_type rules(address("0.0.0.0"), {});
    BOOST_TEST(rules.allows("192.168.0.8:80"));
    BOOST_TEST(!rules.allows("evil.example"));
}

BOOST_AUTO_TEST_CASE(names_that_the_program_allows_are_allowed)
{
    const rules_type rules(address("0.0.0.0"), {"Build7.example.org"});
    BOOST_TEST(rules.allows("build7.example.org:8080"));
    BOOST_TEST(!rules.allows("xbuild7.example.org"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace host_rules
