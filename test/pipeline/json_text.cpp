// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/data/json_text.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace sluice::test {

using namespace pipeline;

BOOST_AUTO_TEST_SUITE(json_text)

BOOST_AUTO_TEST_CASE(usual_json_is_json)
{
    for (const char* const text :
         {"null",
          " [1, 2.5e3,-0] ",
          R"({"a":"b\n","c":{"d":[true,false]}})",
          "\"\xc3\xa9\"",
          "[]",
          "{ }"}) {
        BOOST_TEST(is_usual_json(text), text);
        BOOST_CHECK_NO_THROW((void)parse_json(text));
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_json_is_not_usual)
{
    for (const std::string text :
         {"",
          "nul",
          "{",
          "[1,]",
          "{\"a\"}",
          "{\"a\":1,}",
          "01",
          "1.",
          "-",
          "+1",
          "\"a",
          "\"\t\"",
          "\"\\x\"",
          "{\"a\":1,\"a\":2}",
          "1 2",
          "\"\xff\"",
          "\"\xed\xa0\x80\"",
          "[1}",
          "'a'",
          "1e400"}) {
        BOOST_TEST(!is_usual_json(text), text);
        BOOST_CHECK_THROW((void)parse_json(text), std::runtime_error);
    }
    BOOST_TEST(!is_usual_json(std::string("\"\0\"", 3)));
}

BOOST_AUTO_TEST_CASE(what_is_unusual_is_left_to_the_parser)
{
    for (const std::string& text :
         {std::string(R"({"\u0061":1})"),
          std::string(R"("\ud83d\ude00")"),
          std::string("1e100"),
          std::string(40, '[') + std::string(40, ']')}) {
        BOOST_TEST(!is_usual_json(text), text);
        BOOST_CHECK_NO_THROW((void)parse_json(text));
    }
}

BOOST_AUTO_TEST_CASE(first_value_ends_where_it_should)
{
    BOOST_TEST(first_json_value(" \"a]\\\"}\" , 1") == "\"a]\\\"}\"");
    BOOST_TEST(first_json_value("[1,\"]\",{\"}\":2}],3") == "[1,\"]\",{\"}\":2}]");
    BOOST_TEST(first_json_value("-1.5e3]") == "-1.5e3");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
