// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/data/json_text.hpp"
#include "support/message_of.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace sluice::test::parse_json_test {

struct parse_json_fixture
{
    static std::string error(const std::string& text)
    {
        return message_of([&] { (void)pipeline::parse_json(text); });
    }

    static bool stays(const std::string& text)
    {
        return pipeline::to_json_text(pipeline::parse_json(text)) == text;
    }
};

BOOST_FIXTURE_TEST_SUITE(parse_json, parse_json_fixture)

using namespace pipeline;
using pipeline::parse_json;

BOOST_AUTO_TEST_CASE(values_are_read_in_their_order)
{
    for (const char* text :
         {"null",
          "true",
          "\"x\"",
          "[]",
          "{}",
          "[[],[{}],{\"a\":[]}]",
          R"({"b":1,"a":[1,"x",{"d":null,"c":false}],"":{"":""}})"})
        BOOST_TEST(stays(text), text);
    BOOST_TEST(to_json_text(parse_json(" { \"a\" :\t[ 1 , 2 ] } ")) == R"({"a":[1,2]})");
}

BOOST_AUTO_TEST_CASE(numbers_are_written_as_they_were_read)
{
    for (const char* text :
         {"0",
          "-0",
          "-0.0",
          "1.0",
          "1.10",
          "12e4",
          "1E+2",
          "0.1",
          "1e-7",
          "9223372036854775807",
          "-9223372036854775809",
          "18446744073709551616",
          "12345678901234567890123",
          "0.12345678901234567890123"})
        BOOST_TEST(stays(text), text);
}

BOOST_AUTO_TEST_CASE(only_numbers_that_need_it_are_kept_as_texts)
{
    BOOST_TEST(parse_json("-7").is_number_integer());
    BOOST_TEST(parse_json("18446744073709551615").is_number_unsigned());
    BOOST_TEST(parse_json("0.25").is_number_float());
    BOOST_TEST(!parse_json("0.250").is_number_float());
}

BOOST_AUTO_TEST_CASE(name_twice_in_one_object_is_an_error)
{
    BOOST_TEST(error(R"([{"a":1,"b":2,"a":3}])") == "the name \"a\" twice in one object");
    BOOST_TEST(stays(R"({"a":{"a":[{"a":1},{"a":2}]}})"));
}

BOOST_AUTO_TEST_CASE(reason_does_not_repeat_what_was_read)
{
    BOOST_TEST(
        error('"' + std::string(100'000, 'x') + "\\q\"") ==
        "no JSON: column 100003: syntax error while parsing value - invalid string: "
        "forbidden character after backslash"
    );
    BOOST_TEST(
        error("[1 2]") == "no JSON: column 4: syntax error while parsing array - "
                          "unexpected number literal; expected ']'"
    );
}

BOOST_AUTO_TEST_CASE(nothing_is_dropped_behind_a_nul_byte)
{
    BOOST_TEST(error(std::string("{}\0{}", 5)) == "no JSON: column 3: a NUL byte");
}

BOOST_AUTO_TEST_CASE(mistakes_are_named_with_their_column)
{
    for (const char* text :
         {"", "{", "[1,]", "{\"a\" 1}", "1 2", "\"\xff\"", "NaN", "\"\\ud800\""})
        BOOST_TEST(error(text).starts_with("no JSON: column "), text);
}

BOOST_AUTO_TEST_CASE(nesting_is_limited)
{
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '[') + std::string(depth, ']');
    };
    BOOST_TEST(stays(nested(500)));
    BOOST_TEST(error(nested(501)) == "nested deeper than 500 levels");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test::parse_json_test
