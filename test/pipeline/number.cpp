// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "text/number.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <limits>
#include <regex>
#include <string>
#include <utility>

namespace text = sluice::text;

namespace number {

using namespace std::chrono_literals;
using sluice::text::byte_size_text;
using sluice::text::duration_text;
using sluice::text::parse_byte_size;
using sluice::text::parse_duration;

bool fits(const std::string& text, const char* pattern)
{
    return std::regex_match(text, std::regex(pattern));
}

}  // namespace number

BOOST_AUTO_TEST_SUITE(number)

BOOST_AUTO_TEST_CASE(digits_are_those_of_ascii)
{
    BOOST_TEST((text::is_digit('0') && text::is_digit('9')));
    BOOST_TEST(!(text::is_digit('/') || text::is_digit(':') || text::is_digit('\xb2')));
}

BOOST_AUTO_TEST_CASE(separators_stand_between_thousands)
{
    BOOST_TEST(text::with_separators(0) == "0");
    BOOST_TEST(text::with_separators(999) == "999");
    BOOST_TEST(text::with_separators(1000) == "1,000");
    BOOST_TEST(
        text::with_separators(std::numeric_limits<std::uint64_t>::max()) ==
        "18,446,744,073,709,551,615"
    );
}

BOOST_AUTO_TEST_CASE(percents_are_whole)
{
    BOOST_TEST(text::percent(0) == "0 %");
    BOOST_TEST(text::percent(0.374) == "37 %");
    BOOST_TEST(text::percent(0.625) == "63 %");
    BOOST_TEST(text::percent(1) == "100 %");
}

BOOST_AUTO_TEST_CASE(number_and_unit_make_a_size)
{
    const std::pair<const char*, std::uint64_t> sizes[] = {
        {"0", 0},
        {"512", 512},
        {"512 B", 512},
        {"512B", 512},
        {"3 kB", 3'000},
        {"3 KiB", 3'072},
        {"64 MiB", 67'108'864},
        {"64MB", 64'000'000},
        {"10GB", 10'000'000'000},
        {"2 GiB", 2'147'483'648},
        {"007 MB", 7'000'000},
        {"999999999 GiB", 999'999'999ULL << 30U},
        {"999999999999999999 B", 999'999'999'999'999'999},
    };
    for (const auto& [text, size] : sizes)
        BOOST_TEST_CONTEXT(text)
        {
            BOOST_TEST(parse_byte_size(text).value_or(1) == size);
            BOOST_TEST(fits(text, sluice::text::byte_size_pattern));
        }
}

BOOST_AUTO_TEST_CASE(anything_else_is_no_size)
{
    for (const char* const text :
         {"",
          " ",
          "B",
          "MiB",
          " 5",
          "5 ",
          "5  B",
          "5\tB",
          "-5",
          "+5",
          "1.5 GiB",
          "1e3",
          "0x5",
          "512k",
          "512K",
          "512 KB",
          "512 Kib",
          "512 mb",
          "512 Mb",
          "512 MiB ",
          "512 MiBs",
          "1 TB",
          "1000000000 kB",
          "1000000000000000000",
          "99999999999999999999"})
        BOOST_TEST_CONTEXT(text)
        {
            BOOST_TEST(!parse_byte_size(text));
            BOOST_TEST(!fits(text, sluice::text::byte_size_pattern));
        }
}

BOOST_AUTO_TEST_CASE(text_of_a_size_has_the_largest_whole_unit)
{
    BOOST_TEST(byte_size_text(0) == "0 B");
    BOOST_TEST(byte_size_text(1'000) == "1000 B");
    BOOST_TEST(byte_size_text(1'024) == "1 KiB");
    BOOST_TEST(byte_size_text(1'536 * 1'024) == "1536 KiB");
    BOOST_TEST(byte_size_text(256ULL << 20U) == "256 MiB");
    BOOST_TEST(byte_size_text(4ULL << 30U) == "4 GiB");
}

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
            BOOST_TEST(fits(text, sluice::text::duration_pattern));
        }
}

BOOST_AUTO_TEST_CASE(anything_else_is_no_duration)
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
            BOOST_TEST(!fits(text, sluice::text::duration_pattern));
        }
}

BOOST_AUTO_TEST_CASE(text_of_a_duration_has_the_largest_whole_unit)
{
    BOOST_TEST(duration_text(0s) == "0s");
    BOOST_TEST(duration_text(1500ms) == "1500ms");
    BOOST_TEST(duration_text(10s) == "10s");
    BOOST_TEST(duration_text(120s) == "2m");
    BOOST_TEST(duration_text(7200s) == "2h");
    BOOST_TEST(duration_text(1ns) == "1ns");
}

BOOST_AUTO_TEST_SUITE_END()
