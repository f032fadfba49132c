// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "text/printable.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace tested = sluice::text;

BOOST_AUTO_TEST_SUITE(printable)

BOOST_AUTO_TEST_CASE(text_without_controls_stays)
{
    for (const char* const text :
         {"", "a b", "größer", "单词", "\\n", "👨‍👩‍👧"})
        BOOST_TEST(tested::printable(text) == text);
}

BOOST_AUTO_TEST_CASE(controls_of_one_byte_become_escapes)
{
    BOOST_TEST(tested::printable("a\x1B[31m\a\x7F") == "a\\x1b[31m\\x07\\x7f");
    BOOST_TEST(tested::printable("a\nb\tc\r") == "a\\nb\\tc\\r");
    BOOST_TEST(tested::printable(std::string("a\0b", 3)) == "a\\x00b");
}

BOOST_AUTO_TEST_CASE(controls_of_several_bytes_become_escapes)
{
    BOOST_TEST(tested::printable("\u009B31m") == "\\u009b31m");
    BOOST_TEST(
        tested::printable("a\u202Eb\u2028c\u2066d") == "a\\u202eb\\u2028c\\u2066d"
    );
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_utf8_become_escapes)
{
    BOOST_TEST(tested::printable("a\x9B") == "a\\x9b");
    BOOST_TEST(tested::printable("\xC3") == "\\xc3");                    // cut off
    BOOST_TEST(tested::printable("\xC3x") == "\\xc3x");                  // cut off
    BOOST_TEST(tested::printable("\xC0\x8A") == "\\xc0\\x8a");           // a long \n
    BOOST_TEST(tested::printable("\xED\xA0\x80") == "\\xed\\xa0\\x80");  // surrogate
    BOOST_TEST(tested::printable("\xF8\x88\x80\x80\x80").starts_with("\\xf8")
    );  // too long
}

BOOST_AUTO_TEST_CASE(lines_keep_their_ends_and_tabs_only)
{
    BOOST_TEST(tested::printable_lines("a\n\tb\r\x1B\n") == "a\n\tb\\r\\x1b\n");
}

BOOST_AUTO_TEST_SUITE_END()
