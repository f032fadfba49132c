// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/data/value_view.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>

namespace sluice::test {

using pipeline::invalid_utf8;
using pipeline::json_value;
using pipeline::number;

BOOST_AUTO_TEST_SUITE(value_view)

BOOST_AUTO_TEST_CASE(numbers_are_those_of_json)
{
    for (const char* const text :
         {"",
          "-",
          "+1",
          "007",
          "-01",
          ".5",
          "1.",
          "1.e3",
          "1e",
          "0x1",
          "1 ",
          "inf",
          "nan",
          "1e309",
          "-1e309",
          "1e99999999999999999999"})
        BOOST_TEST(!number::parse(text), text);
    for (const char* const text :
         {"0", "-0", "12", "-12", "0.5", "1e3", "1E-3", "1.5e+3", "1e-400"})
        BOOST_TEST(number::parse(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(number_beyond_a_double_is_none_and_one_below_is_zero_however_written)
{
    const std::string nines(400, '9');
    for (const std::string& large : {nines, nines + ".5", nines + "e-1", nines + "e+1"})
        BOOST_TEST(!number::parse(large), large);
    const std::string small = "0." + std::string(400, '0');
    for (const std::string& below : {small + "1", small + "1e5", small + "1E-5"})
        BOOST_TEST(pipeline::to_double(number::parse(below).value().value()) == 0.0);
    BOOST_TEST(number::parse("1" + std::string(400, '0') + "e-400").has_value());
}

BOOST_AUTO_TEST_CASE(whole_numbers_are_exact_to_64_bits)
{
    BOOST_TEST(number::parse("9007199254740993").value().whole() == 9007199254740993);
    BOOST_TEST(number::parse("-9223372036854775808").value().is_whole());
    BOOST_TEST(!number::parse("18446744073709551615").value().is_whole());
    BOOST_TEST(
        (number::parse("18446744073709551614").value().value() <
         number::parse("18446744073709551615").value().value())
    );
    BOOST_TEST(!number::parse("1.0").value().is_whole());
}

BOOST_AUTO_TEST_CASE(members_and_elements_are_found_where_they_are)
{
    const std::string text =
        R"({ "a" : [1, {"b": "x\ny"}, [ ] ], "\u0063":true , "d":null})";
    const auto whole = pipeline::value_view::of_json(text);
    BOOST_TEST(whole.is_object());
    const auto items = whole.member("a");
    BOOST_TEST(items.is_array());
    BOOST_TEST(items.item(0).as_number().value().whole() == 1);
    std::string scratch;
    BOOST_TEST(items.item(1).member("b").string(scratch) == "x\ny");
    BOOST_TEST(items.item(2).is_array());
    BOOST_TEST(!items.item(3));
    BOOST_TEST(whole.member("c").as_flag().value());
    BOOST_TEST(whole.member("d").is_null());
    BOOST_TEST(!whole.member("e"));
    BOOST_TEST(!whole.member("d").member("x"));
    const json_value parsed = json_value::parse(text);
    BOOST_TEST((whole.to_json() == parsed));
    BOOST_TEST(pipeline::value_view(parsed).member("a").item(1).member("b").is_string());
}

BOOST_AUTO_TEST_CASE(what_was_read_is_written_as_it_was)
{
    std::string out;
    pipeline::value_view::of_json(R"({"a" : 1.10})")
        .append_json(out, invalid_utf8::refuse);
    BOOST_TEST(out == R"({"a" : 1.10})");
    out.clear();
    pipeline::value_view::of_json(R"({"a" : 1.10, "b":"\u0041"})")
        .append_compact(out, invalid_utf8::refuse);
    BOOST_TEST(out == R"({"a":1.10,"b":"A"})");
}

BOOST_AUTO_TEST_CASE(texts_become_strings_of_json)
{
    std::string out;
    pipeline::value_view::of_text("a\"b\\c\n\x01 \xc3\xa9")
        .append_json(out, invalid_utf8::refuse);
    BOOST_TEST(out == "\"a\\\"b\\\\c\\n\\u0001 \xc3\xa9\"");
    BOOST_CHECK_THROW(
        pipeline::value_view::of_text("\xff").append_json(out, invalid_utf8::refuse),
        std::runtime_error
    );
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
