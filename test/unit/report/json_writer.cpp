// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "report/json_writer.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>

namespace report = sluice::report;

BOOST_AUTO_TEST_SUITE(json_writer)

BOOST_AUTO_TEST_CASE(commas_stand_between_the_values_of_objects_and_arrays)
{
    report::json_writer out;
    out.begin_object().key("a").begin_array().value(1).begin_object().end_object();
    out.begin_array().end_array().end_array().member("b", true).name("c", "");
    out.name("d", "text").end_object();
    BOOST_TEST(out.text() == R"({"a":[1,{},[]],"b":true,"c":null,"d":"text"})");
}

BOOST_AUTO_TEST_CASE(text_is_escaped_and_what_is_not_utf8_is_replaced)
{
    report::json_writer out;
    out.value(std::string("\"\\\n\x01\t\x7F \xC3\xBC\xFF"));
    BOOST_TEST(out.text() == "\"\\\"\\\\\\n\\u0001\\u0009\x7F \xC3\xBC\xEF\xBF\xBD\"");
}

BOOST_AUTO_TEST_CASE(numbers_are_exact_and_what_is_none_is_null)
{
    report::json_writer out;
    out.begin_array()
        .value(std::numeric_limits<std::uint64_t>::max())
        .value(-1)
        .value(0.1)
        .value(1e300)
        .value(std::numeric_limits<double>::infinity())
        .value(std::chrono::nanoseconds(1'500'000'000))
        .end_array();
    BOOST_TEST(out.text() == "[18446744073709551615,-1,0.1,1e+300,null,1.5]");
}

BOOST_AUTO_TEST_SUITE_END()
