// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/text_position.hpp"

#include <boost/test/unit_test.hpp>

#include <string_view>

namespace {

sluice::pipeline::detail::text_position after(std::string_view text)
{
    sluice::pipeline::detail::text_position position;
    for (const char byte : text)
        position.read(byte);
    return position;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(text_position)

BOOST_AUTO_TEST_CASE(line_and_column_are_counted_from_one)
{
    BOOST_TEST(after("a").line() == 1u);
    BOOST_TEST(after("a").column() == 1u);
    BOOST_TEST(after("ab\nc\n\nd").line() == 4u);
    BOOST_TEST(after("ab\nc\n\nde").column() == 2u);
}

BOOST_AUTO_TEST_CASE(newline_belongs_to_the_line_that_it_ends)
{
    BOOST_TEST(after("ab\n").line() == 1u);
    BOOST_TEST(after("ab\n").column() == 3u);
    BOOST_TEST(after("ab\n\n").line() == 2u);
    BOOST_TEST(after("ab\n\n").column() == 1u);
}

BOOST_AUTO_TEST_CASE(column_counts_characters_and_not_bytes)
{
    BOOST_TEST(after("\xc3\xa4\xe2\x82\xacx").column() == 3u);
}

BOOST_AUTO_TEST_SUITE_END()
