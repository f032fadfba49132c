// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/expression/expression.hpp"

#include "pipeline/data/json_text.hpp"
#include "pipeline/data/record_builder.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <boost/test/unit_test.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sluice::test {

using pipeline::element;
using pipeline::field_form;
using pipeline::parse_json;

struct expression_fixture
{
    // What it gives for a value in JSON; the value may also stand in a block as it was read.
    static std::string result(const std::string& text, const std::string& value = "null")
    {
        const std::string computed = given(text, element(parse_json(value)));
        BOOST_TEST(given(text, as_read(value)) == computed, text);
        return computed;
    }

    static std::string given(const std::string& text, const element& input)
    {
        std::string out;
        const field_form is = pipeline::expression(text, "where").append(input, out);
        return is == field_form::text ? "text " + out : out;
    }

    static bool holds(const std::string& text, const std::string& value)
    {
        return pipeline::expression(text, "where").holds_for(as_read(value));
    }

    static element as_read(const std::string& value)
    {
        pipeline::detail::record_builder builder;
        builder.add_copy(value, field_form::json);
        return builder.finish();
    }

    static std::string error(const std::string& text, const std::string& value)
    {
        try {
            (void)holds(text, value);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "no error";
    }

    static std::string refusal(const std::string& text)
    {
        try {
            const pipeline::expression tested(text, "where");
        } catch (const pipeline::option_error& error) {
            return error.what();
        }
        return "no error";
    }

    static std::string refused(const std::string& reason)
    {
        return "an expression (" + reason + "; the stage jq runs programs)";
    }
};

BOOST_FIXTURE_TEST_SUITE(expression, expression_fixture)

// What it is written in

BOOST_AUTO_TEST_CASE(paths_lead_to_fields_and_parts_of_them)
{
    const std::string value = R"({"a":{"b":[1,{"c":2}]},"odd name":3,"_x1":4,"and":5})";
    BOOST_TEST(result(".a.b[0]", value) == "1");
    BOOST_TEST(result(".a.b[1].c", value) == "2");
    BOOST_TEST(result(R"(."odd name")", value) == "3");
    BOOST_TEST(result(R"(.["odd name"])", value) == "3");
    BOOST_TEST(result(R"(.a["b"].[0])", value) == "1");
    BOOST_TEST(result("._x1", value) == "4");
    BOOST_TEST(result(".and", value) == "5");
    BOOST_TEST(result(".a?.b?[0]?", value) == "1");
    BOOST_TEST(result(" .\n", "[1,2]") == "[1,2]");
    BOOST_TEST(result(".[1]", "[1,2]") == "2");
}

BOOST_AUTO_TEST_CASE(constants_are_those_of_json)
{
    BOOST_TEST(result("12") == "12");
    BOOST_TEST(result("-1.5e+3") == "-1500");
    BOOST_TEST(result("true") == "true");
    BOOST_TEST(result("false") == "false");
    BOOST_TEST(result("null") == "null");
    BOOST_TEST(result(R"("a \"b\" \u00e9")") == "text a \"b\" \xc3\xa9");
}

BOOST_AUTO_TEST_CASE(signs_bind_as_in_jq)
{
    BOOST_TEST(result("1 + 2 * 3") == "7");
    BOOST_TEST(result("(1 + 2) * 3") == "9");
    BOOST_TEST(result("10 - 2 - 3") == "5");
    BOOST_TEST(result("2-1") == "1");
    BOOST_TEST(result("12 / 3 / 2") == "2");
    BOOST_TEST(result("-2 * -3") == "6");
    BOOST_TEST(result("7 % 4 * 2") == "6");
    BOOST_TEST(result("1 + 1 == 2") == "true");
    BOOST_TEST(result("true or true and false") == "true");
    BOOST_TEST(result("(true or true) and false") == "false");
    BOOST_TEST(result("null // 1 > 2") == "false");
    BOOST_TEST(result("(null // 1) > 2") == "false");
    BOOST_TEST(result("3 // 1 > 2") == "3");
    BOOST_TEST(result("null // false // 3") == "3");
}

BOOST_AUTO_TEST_CASE(not_stands_before_or_behind_a_pipe)
{
    BOOST_TEST(result("not .a", R"({"a":1})") == "false");
    BOOST_TEST(result("not .a == 1 or true", R"({"a":1})") == "true");
    BOOST_TEST(result("not not .a", R"({"a":1})") == "true");
    BOOST_TEST(result("not (.a) and true", R"({"a":null})") == "true");
    BOOST_TEST(result(".a == 1 and .b == 2 | not", R"({"a":1})") == "true");
    BOOST_TEST(result("(.a | not) and (not)", R"({"a":1})") == "false");
}

BOOST_AUTO_TEST_CASE(right_side_of_a_pipe_sees_what_the_left_one_gives)
{
    BOOST_TEST(result(".a | .b + .c", R"({"a":{"b":1,"c":2},"b":9})") == "3");
    BOOST_TEST(result(".a | . * . | . + 1", R"({"a":3})") == "10");
    BOOST_TEST(result("(.a | .b) + .b", R"({"a":{"b":1},"b":9})") == "10");
    BOOST_TEST(result(".a + 1 | .b", R"({"a":1})") == "null");
}

BOOST_AUTO_TEST_CASE(what_is_no_expression_is_refused_with_the_place)
{
    BOOST_TEST(refusal("") == refused("a value is missing at character 1"));
    BOOST_TEST(refusal(".a >") == refused("a value is missing at character 5"));
    BOOST_TEST(refusal(".a = 1") == refused("\"=\" is not expected at character 4"));
    BOOST_TEST(refusal("1 < 2 < 3") == refused("\"<\" is not expected at character 7"));
    BOOST_TEST(
        refusal("\"\u00e9\" == ]") == refused("\"]\" is not expected at character 8")
    );
    BOOST_TEST(refusal("(.a") == refused("a value is missing at character 4"));
    BOOST_TEST(refusal(".a .b") == refused("\".\" is not expected at character 4"));
    BOOST_TEST(
        refusal("city == \"Rome\"") ==
        refused("the name of a field has a dot before it, as .city at character 1")
    );
    BOOST_TEST(
        refusal(".a[-1]") ==
        refused("an index is a whole number that is not negative at character 4")
    );
    for (const char* const text :
         {"007", "1.", "1x", "1e999", "\"a", "\"\\(1)\"", "\"\\q\""})
        BOOST_TEST(
            refusal(text) == refused("JSON has no such constant at character 1"),
            text
        );
    for (const char* const text :
         {"..",
          ".a.",
          ".1",
          "$x",
          ".[]",
          ".[0",
          "[1]",
          "{}",
          "1 +",
          "and",
          ".a,.b",
          "map(.)"})
        BOOST_TEST(refusal(text) != "no error", text);
    BOOST_TEST(refusal(std::string("1\0)", 3)).find("character 2") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(levels_are_limited)
{
    const std::string open(400, '(');
    const std::string close(400, ')');
    BOOST_TEST(result(open + "1" + close) == "1");
    std::string sum = "1";
    for (int i = 0; i < 400; ++i)
        sum += "+1";
    BOOST_TEST(result(sum) == "401");
    for (const char* const part : {"(", "-", "not ", "1+", "1//", "1|"}) {
        std::string text;
        for (int i = 0; i < 100'000; ++i)
            text += part;
        BOOST_TEST(
            refusal(text + "1").find("more than 500 levels") != std::string::npos,
            part
        );
    }
}

// Values

BOOST_AUTO_TEST_CASE(everything_holds_but_false_and_null)
{
    for (const char* const value : {"0", "\"\"", "[]", "{}", "true", "\"false\""})
        BOOST_TEST(holds(".a", std::string("{\"a\":") + value + '}'), value);
    for (const char* const value : {R"({"a":false})", R"({"a":null})", "{}", "1", "[1]"})
        BOOST_TEST(!holds(".a", value), value);
}

BOOST_AUTO_TEST_CASE(what_is_missing_is_null_and_no_error)
{
    for (const char* const path : {".b", ".a.b", ".a.b.c[3]", ".a[0]", ".[0]"}) {
        BOOST_TEST(result(path, R"({"a":"x"})") == "null", path);
        BOOST_TEST(holds(std::string(path) + " == null", R"({"a":"x"})"), path);
    }
    BOOST_TEST(result(".b // 0", R"({"a":1})") == "0");
    BOOST_TEST(result(".a // 0", R"({"a":false})") == "0");
    BOOST_TEST(result(".a // 0", R"({"a":[]})") == "[]");
}

BOOST_AUTO_TEST_CASE(only_what_is_the_same_is_equal)
{
    const std::vector<std::string> values{
        "null",
        "true",
        "false",
        "0",
        "1",
        "\"\"",
        "\"1\"",
        "[]",
        "[1]",
        "{}",
        R"({"a":1})"
    };
    for (const std::string& one : values)
        for (const std::string& other : values) {
            const std::string both = "[" + one + "," + other + "]";
            BOOST_TEST(holds(".[0] == .[1]", both) == (one == other), both);
            BOOST_TEST(holds(".[0] != .[1]", both) == (one != other), both);
        }
    BOOST_TEST(holds(".[0] == .[1]", "[1.0,1]"));
    BOOST_TEST(holds(".[0] == .[1]", R"(["\u0041","A"])"));
    BOOST_TEST(holds(".[0] == .[1]", R"([[1, "\u0041"],[1,"A"]])"));
    BOOST_TEST(holds(".a == (1 < 2)", R"({"a":true})"));
}

BOOST_AUTO_TEST_CASE(only_two_numbers_or_two_strings_are_in_an_order)
{
    BOOST_TEST(holds(".a < 500 and .a <= 499 and .a > 498 and .a >= 499", R"({"a":499})")
    );
    BOOST_TEST(holds(".a < \"b\" and .a <= \"a\" and \"A\" < .a", R"({"a":"a"})"));
    for (const char* const value :
         {"null", "\"n/a\"", "\"\"", "\"900\"", "true", "[1]", "{}"})
        for (const char* const order : {" < ", " <= ", " > ", " >= "}) {
            const std::string given = std::string("{\"a\":") + value + '}';
            BOOST_TEST(!holds(std::string(".a") + order + "500", given), given);
            BOOST_TEST(!holds(std::string("500") + order + ".a", given), given);
            BOOST_TEST(!holds(std::string(".b") + order + ".a", given), given);
        }
    BOOST_TEST(!holds("false < true", "1"));
    BOOST_TEST(!holds(".a <= .a", R"({"a":[1]})"));
}

BOOST_AUTO_TEST_CASE(whole_numbers_are_exact_to_64_bits)
{
    BOOST_TEST(!holds(".a == 9007199254740993", R"({"a":9007199254740992})"));
    BOOST_TEST(holds(".a == 9007199254740993", R"({"a":9007199254740993})"));
    BOOST_TEST(holds(".a > 18446744073709551614", R"({"a":18446744073709551615})"));
    BOOST_TEST(result(".a + 1", R"({"a":9007199254740992})") == "9007199254740993");
    BOOST_TEST(result(".a * 3", R"({"a":3002399751580331})") == "9007199254740993");
    BOOST_TEST(
        result(".a - 1", R"({"a":-9223372036854775807})") == "-9223372036854775808"
    );
    BOOST_TEST(result(".a / 3", R"({"a":9007199254740993})") == "3002399751580331");
    BOOST_TEST(result(".a % 10", R"({"a":9007199254740993})") == "3");
    BOOST_TEST(result("-.a", R"({"a":9007199254740993})") == "-9007199254740993");
}

BOOST_AUTO_TEST_CASE(what_is_too_large_for_a_whole_number_becomes_a_double)
{
    const std::string largest = R"({"a":9223372036854775807})";
    const std::string smallest = R"({"a":-9223372036854775808})";
    BOOST_TEST(result(".a + 1", largest) == "9.223372036854776e+18");
    BOOST_TEST(result(".a * 2", largest) == "1.8446744073709552e+19");
    BOOST_TEST(result(".a - 1", smallest) == "-9.223372036854776e+18");
    BOOST_TEST(result("-.a", smallest) == "9.223372036854776e+18");
    BOOST_TEST(result(".a / -1", smallest) == "9.223372036854776e+18");
    BOOST_TEST(result(".a % -1", smallest) == "0");
}

BOOST_AUTO_TEST_CASE(fractions_are_doubles)
{
    BOOST_TEST(result(".a / 2", R"({"a":3})") == "1.5");
    BOOST_TEST(result(".a * 2", R"({"a":1.10})") == "2.2");
    BOOST_TEST(result("0.1 + 0.2") == "0.30000000000000004");
    BOOST_TEST(result("-7 % 3") == "-1");
}

BOOST_AUTO_TEST_CASE(fields_are_given_as_they_are_written)
{
    for (const char* const value :
         {"1.10", "-0", "12e4", "12345678901234567890123", "18446744073709551615", "[1.0]"
         })
        BOOST_TEST(result(".a", std::string("{\"a\":") + value + '}') == value);
    BOOST_TEST(given(".a", as_read(R"({"a":[ 1, "\u0041" ]})")) == R"([ 1, "\u0041" ])");
    BOOST_TEST(result(".a // 0", R"({"a":1.10})") == "1.10");
}

BOOST_AUTO_TEST_CASE(lengths_are_of_strings_arrays_and_objects)
{
    BOOST_TEST(result("length", "[1,2]") == "2");
    BOOST_TEST(result(".a | length > 1", R"({"a":"\u00e9x"})") == "true");
    BOOST_TEST(result("(.a | length) + 1", R"({"a":{"b":1}})") == "2");
    BOOST_TEST(result(".a | length", "{}") == "0");
    BOOST_TEST(
        error("length", "5") == R"(cannot evaluate "length" for 5: 5 has no length)"
    );
}

// Elements

BOOST_AUTO_TEST_CASE(texts_records_and_arrays_are_values_too)
{
    BOOST_TEST(given(".", element("ab")) == "text ab");
    BOOST_TEST(given("length", element()) == "0");
    BOOST_TEST(given(".a", element("ab")) == "null");
    pipeline::detail::record_builder builder(
        std::make_shared<pipeline::detail::field_names>(std::vector<std::string>{"a", "b"}
        )
    );
    builder.add_copy("1", field_form::text);
    builder.add_copy("2.0", field_form::json);
    const element record = builder.finish();
    BOOST_TEST(given(".", record) == R"({"a":"1","b":2.0})");
    BOOST_TEST(given(".a", record) == "text 1");
    BOOST_TEST(given(".b + 1", record) == "3");
    BOOST_TEST(given(".a.b", record) == "null");
    const element pair(json_value{"x", record.to_json()});
    BOOST_TEST(given("length", pair) == "2");
    BOOST_TEST(given(".[1].b", pair) == "2.0");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_utf8_stay_and_are_compared)
{
    BOOST_TEST(given(".", element("\xff")) == "text \xff");
    BOOST_TEST(given(". == \"x\"", element("\xff")) == "false");
    BOOST_TEST(given(". > \"x\"", element("\xff")) == "true");
}

BOOST_AUTO_TEST_CASE(computing_with_what_is_no_number_shows_it_and_the_element)
{
    BOOST_TEST(
        error(".a + .b * 2 > 1", R"({"a":1,"b":"x"})") ==
        R"(cannot evaluate ".a + .b * 2 > 1" for {"a":1,"b":"x"}: .b is "x", not a number)"
    );
    BOOST_TEST(error("(.a) - 1", "{}").ends_with(": .a is null, not a number"));
    BOOST_TEST(error("-.a", R"({"a":[1]})").ends_with(": .a is [1], not a number"));
    BOOST_TEST(error("1 % (.a == 1)", "{}").ends_with(": .a == 1 is false, not a number")
    );
    BOOST_TEST(error("1 / .a", R"({"a":0})").ends_with(": it divides by zero"));
    BOOST_TEST(error("1 % .a", R"({"a":0})").ends_with(": it divides by zero"));
    BOOST_TEST(error("1.5 % 1", "{}").ends_with(": % takes whole numbers of 64 bits"));
    BOOST_TEST(error("1e308 * 10", "{}").ends_with(": its result is beyond 1.8e308"));
}

BOOST_AUTO_TEST_CASE(what_is_not_needed_is_not_computed)
{
    BOOST_TEST(!holds(".a and 1 / 0", "{}"));
    BOOST_TEST(holds(".a == null or 1 / 0", "{}"));
    BOOST_TEST(holds("1 // 1 / 0", "{}"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
