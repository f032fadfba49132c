// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/durations.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <regex>
#include <string>
#include <utility>

namespace durations {

using namespace std::chrono_literals;
using sluice::pipeline::detail::parse_duration;
using sluice::pipeline::detail::to_text;

bool fits_pattern(const std::string& text)
{
    return std::regex_match(text, std::regex(sluice::pipeline::detail::duration_pattern));
}

}  // namespace durations

BOOST_AUTO_TEST_SUITE(durations)

BOOST_AUTO_TEST_CASE(number_and_unit_make_a_duration)
{
    const std::pair<const char*, std::chrono::nanoseconds> durations[] = {
        {"250ms", 250ms},
        {"5s", 5s},
        {"2m", 2min},
        {"1h", 1h},
        {"7us", 7us},
        {"9ns", 9ns},
        {"0s", 0s},
        {"1.5s", 1500ms},
        {"0.000000001s", 1ns},
        {"999999h", 999999h}
    };
    for (const auto& [text, duration] : durations)
        BOOST_TEST_CONTEXT(text)
        {
            BOOST_TEST((parse_duration(text) == duration));
            BOOST_TEST(fits_pattern(text));
        }
}

BOOST_AUTO_TEST_CASE(anything_else_is_none)
{
    for (const char* const text :
         {"",
          "5",
          "s",
          "5 s",
          " 5s",
          "5s ",
          "-5s",
          "+5s",
          "1.s",
          ".5s",
          "1e3s",
          "1.5.5s",
          "5S",
          "5sec",
          "5d",
          "1000000h",
          "1.0000000001s",
          "0x5s",
          "\xc2\xb5s"})
        BOOST_TEST_CONTEXT(text)
        {
            BOOST_TEST(!parse_duration(text));
            BOOST_TEST(!fits_pattern(text));
        }
}

BOOST_AUTO_TEST_CASE(text_of_a_duration_has_the_largest_whole_unit)
{
    BOOST_TEST(to_text(0s) == "0s");
    BOOST_TEST(to_text(1500ms) == "1500ms");
    BOOST_TEST(to_text(10s) == "10s");
    BOOST_TEST(to_text(120s) == "2m");
    BOOST_TEST(to_text(7200s) == "2h");
    BOOST_TEST(to_text(1ns) == "1ns");
}

BOOST_AUTO_TEST_SUITE_END()
