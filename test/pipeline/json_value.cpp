// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/json_value.hpp>

#include "support/message_of.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace sluice::test::json_value_test {

BOOST_AUTO_TEST_SUITE(json_value)

using namespace pipeline;
using pipeline::json_value;

BOOST_AUTO_TEST_CASE(members_keep_their_order)
{
    json_value value = json_value::object();
    value["b"] = 1;
    value["a"] = json_value::array({nullptr, true, "x"});
    BOOST_TEST(to_json_text(value) == R"({"b":1,"a":[null,true,"x"]})");
}

BOOST_AUTO_TEST_CASE(numbers_get_as_few_digits_as_tell_them_apart)
{
    const std::vector<std::pair<json_value, std::string>> numbers = {
        {0.1, "0.1"},
        {0.30000000000000004, "0.30000000000000004"},
        {2.0, "2"},
        {-1.5e300, "-1.5e+300"},
        {std::numeric_limits<std::int64_t>::min(), "-9223372036854775808"},
        {std::numeric_limits<std::uint64_t>::max(), "18446744073709551615"},
    };
    for (const auto& [number, text] : numbers)
        BOOST_TEST(to_json_text(number) == text);
}

BOOST_AUTO_TEST_CASE(what_is_no_number_of_json_is_null)
{
    BOOST_TEST(to_json_text(std::numeric_limits<double>::infinity()) == "null");
    BOOST_TEST(to_json_text(std::numeric_limits<double>::quiet_NaN()) == "null");
}

BOOST_AUTO_TEST_CASE(written_numbers_stay_as_they_are_and_count_as_numbers)
{
    const json_value price = written_number("1.10");
    BOOST_TEST(to_json_text(json_value::array({price})) == "[1.10]");
    BOOST_TEST(is_number(price));
    BOOST_TEST(to_double(price) == 1.1);
    BOOST_TEST(
        to_double(written_number("12345678901234567890123")) == 1.2345678901234568e22
    );
    BOOST_TEST(price == written_number("1.10"));
    BOOST_TEST(price != written_number("1.1"));
}

BOOST_AUTO_TEST_CASE(number_of_a_written_zero_keeps_its_sign)
{
    BOOST_TEST(std::signbit(to_double(written_number("-0"))));
    BOOST_TEST(std::signbit(to_double(written_number("-0.0"))));
    BOOST_TEST(!std::signbit(to_double(written_number("0"))));
}

BOOST_AUTO_TEST_CASE(other_numbers_are_numbers_and_texts_are_none)
{
    BOOST_TEST((is_number(7) && is_number(7U) && is_number(0.5)));
    BOOST_TEST(!(is_number("7") || is_number(true) || is_number(nullptr)));
    BOOST_TEST(to_double(7) == 7);
}

BOOST_AUTO_TEST_CASE(texts_are_escaped_where_json_needs_it)
{
    BOOST_TEST(
        to_json_text("a\"\\\n\x01\x7f\xc3\xa9") == "\"a\\\"\\\\\\n\\u0001\x7f\xc3\xa9\""
    );
    BOOST_TEST(to_json_text(std::string("\0", 1)) == "\"\\u0000\"");
}

BOOST_AUTO_TEST_CASE(text_that_is_not_utf8_is_refused_or_replaced)
{
    const json_value value = json_value::array({{{"\xff", 1}}, "caf\xe9"});
    BOOST_TEST(
        to_json_text(value, invalid_utf8::replace) ==
        "[{\"\xef\xbf\xbd\":1},\"caf\xef\xbf\xbd\"]"
    );
    BOOST_TEST(message_of([&] {
                   (void)to_json_text(value.back());
               }) == R"(the text "caf\xe9" is not UTF-8)");
    BOOST_CHECK_THROW((void)to_json_text(value.front()), std::runtime_error);
    BOOST_TEST(to_json_text(value, invalid_utf8::show) == R"([{"\xff":1},"caf\xe9"])");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test::json_value_test
