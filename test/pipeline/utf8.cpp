// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "text/utf8.hpp"

#include <boost/test/unit_test.hpp>

namespace text = sluice::text;

BOOST_AUTO_TEST_SUITE(utf8)

BOOST_AUTO_TEST_CASE(characters_are_counted_not_bytes)
{
    BOOST_TEST(text::count_characters("") == 0U);
    BOOST_TEST(text::count_characters("abc") == 3U);
    BOOST_TEST(text::count_characters("\xC3\xA4\xE2\x82\xAC") == 2U);
}

BOOST_AUTO_TEST_CASE(first_character_has_all_its_bytes)
{
    BOOST_TEST(text::first_character("").empty());
    BOOST_TEST(text::first_character("ab") == "a");
    BOOST_TEST(text::first_character("\xE2\x82\xAC!") == "\xE2\x82\xAC");
    BOOST_TEST(text::first_character("\x82\xAC!") == "\x82\xAC");
}

BOOST_AUTO_TEST_CASE(all_of_a_text_is_utf8_or_not_wherever_the_wrong_byte_is)
{
    BOOST_TEST(text::is_utf8(""));
    for (std::size_t size = 1; size < 20; ++size)
        for (std::size_t at = 0; at < size; ++at) {
            std::string some(size, 'a');
            BOOST_TEST(text::is_utf8(some));
            some[at] = '\xE4';
            BOOST_TEST(!text::is_utf8(some));
            some.replace(at, 1, "\xC3\xA4");
            BOOST_TEST(text::is_utf8(some));
        }
}

BOOST_AUTO_TEST_CASE(beginning_ends_before_a_byte_that_is_not_utf8)
{
    BOOST_TEST(text::valid_beginning("").empty());
    BOOST_TEST(text::valid_beginning("a\xC3\xA4") == "a\xC3\xA4");
    BOOST_TEST(text::valid_beginning("a\xE4") == "a");
    BOOST_TEST(text::valid_beginning("a\xE2\x82") == "a");  // a part of a character
    BOOST_TEST(text::valid_beginning("\xC0\x80").empty());  // longer than it need be
}

BOOST_AUTO_TEST_CASE(text_is_cut_between_characters)
{
    BOOST_TEST(text::cut_to_bytes("abc", 3) == "abc");
    BOOST_TEST(text::cut_to_bytes("abc", 2) == "ab");
    BOOST_TEST(text::cut_to_bytes("a\xC3\xA4", 2) == "a");
    BOOST_TEST(text::cut_to_bytes("\xE2\x82\xAC", 2).empty());
}

BOOST_AUTO_TEST_CASE(wide_characters_take_two_columns)
{
    BOOST_TEST(text::columns_of("") == 0U);
    BOOST_TEST(text::columns_of("abc") == 3U);
    BOOST_TEST(text::columns_of("\xC3\xA4\xE2\x82\xAC") == 2U);
    BOOST_TEST(text::columns_of("\xE5\x88\x97x") == 3U);     // a Chinese character
    BOOST_TEST(text::columns_of("\xF0\x9F\x98\x80") == 2U);  // an emoji
    BOOST_TEST(text::columns_of("\xFFx") == 2U);             // no UTF-8
}

BOOST_AUTO_TEST_SUITE_END()
