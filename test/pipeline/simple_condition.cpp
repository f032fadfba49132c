// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/jq/simple_condition.hpp"

#include "pipeline/jq/jq_program.hpp"
#include "pipeline/parse_json.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>

namespace simple_condition {

using condition = sluice::pipeline::simple_condition;
using sluice::pipeline::element;
using sluice::pipeline::jq_program;
using sluice::pipeline::json_value;
using sluice::pipeline::parse_json;

bool is_simple(const std::string& text)
{
    return condition::parse(text).has_value();
}

std::optional<bool> holds(const std::string& text, const std::string& value)
{
    return condition::parse(text).value().holds_for(element(parse_json(value)));
}

// In brackets it is not simple, and so jq answers.
bool holds_in_jq(const std::string& text, const json_value& value)
{
    jq_program program('(' + text + ')', "where", jq_program::use::condition);
    return program.holds_for(element(value));
}

}  // namespace simple_condition

BOOST_AUTO_TEST_SUITE(simple_condition)

BOOST_AUTO_TEST_CASE(comparisons_of_fields_with_constants_are_simple)
{
    for (const char* const text :
         {".a>1",
          " .status >= 500\n",
          ".a_1 == \"x y\"",
          ".and != null",
          ".a == true",
          ".a < -1.5e3",
          ".a > 1 and.b > 1",
          ".a > 1 and .b <= 2 and\t.c != \"\""})
        BOOST_TEST(is_simple(text), text);
}

BOOST_AUTO_TEST_CASE(whatever_may_be_more_is_left_to_jq)
{
    for (const char* const text :
         {"",
          ".",
          ".a",
          "1 < .a",
          ".a > .b",
          ".a.b > 1",
          ".[0] > 1",
          ".a? > 1",
          ".a // 0 > 1",
          ".a > 1 or .b > 1",
          ".a > 1 and",
          ".a > 1and .b > 1",
          ".a > 1 andy",
          ".a > 1 | not",
          ".a > 1 # why",
          ".a > 2-1",
          ".a == \"\xE4\"",
          ".a > 007",
          ".a > \"x\"",
          ".a < null",
          ".a = 1",
          ".a == \"\\u0061\"",
          ".a == \"\\(1)\"",
          ".a == \"\xEF\xBF\xBD\"",
          ".a == \"x",
          ".1a == 1",
          ".a == nil",
          ".a == [1]",
          "(.a > 1)"})
        BOOST_TEST(!is_simple(text), text);
}

BOOST_AUTO_TEST_CASE(answers_are_those_of_jq)
{
    const char* const conditions[] = {
        ".a == 1",
        ".a != 1",
        ".a < 1",
        ".a <= 1",
        ".a > 1",
        ".a >= 1",
        ".a > -1.5",
        ".a == null",
        ".a != null",
        ".a == true",
        ".a != false",
        ".a == \"x\"",
        ".a != \"x\"",
        ".a == \"\"",
        ".a >= 1 and .b == \"x\""
    };
    const char* const values[] = {
        "{}",
        R"({"b":"x"})",
        R"({"a":null})",
        R"({"a":true})",
        R"({"a":false})",
        R"({"a":0})",
        R"({"a":-0})",
        R"({"a":1})",
        R"({"a":1.0})",
        R"({"a":1.10,"b":"x"})",
        R"({"a":1e3,"b":"y"})",
        R"({"a":-2})",
        R"({"a":9007199254740992})",
        R"({"a":12345678901234567890123})",
        R"({"a":""})",
        R"({"a":"x"})",
        R"({"a":"1"})",
        R"({"a":[1]})",
        R"({"a":{"a":1}})"
    };
    for (const char* const text : conditions)
        for (const char* const value : values) {
            const std::optional<bool> found = holds(text, value);
            BOOST_REQUIRE(found.has_value());
            BOOST_TEST(
                *found == holds_in_jq(text, parse_json(value)),
                text << " for " << value
            );
        }
}

// jq knows no others than double.
BOOST_AUTO_TEST_CASE(whole_numbers_are_exact_to_64_bits)
{
    BOOST_TEST(!holds(".a == 9007199254740993", R"({"a":9007199254740992})").value());
    BOOST_TEST(holds(".a == 9007199254740993", R"({"a":9007199254740993})").value());
    BOOST_TEST(holds(".a > 18446744073709551614", R"({"a":18446744073709551615})").value()
    );
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_utf8_are_different_from_every_constant)
{
    const json_value value{{"a", "\xff"}};
    for (const char* const text : {".a == \"x\"", ".a != \"x\""})
        BOOST_TEST(
            *condition::parse(text).value().holds_for(element(value)) ==
            holds_in_jq(text, value)
        );
}

BOOST_AUTO_TEST_CASE(what_is_no_object_is_left_to_jq)
{
    for (const char* const value : {"null", "1", "\"a\"", "[1]"})
        BOOST_TEST(!holds(".a == 1", value).has_value(), value);
}

BOOST_AUTO_TEST_SUITE_END()
