// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/text_position.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace sluice::pipeline;

}  // namespace

BOOST_AUTO_TEST_SUITE(text_position)

BOOST_AUTO_TEST_CASE(line_and_column_are_counted_from_one)
{
    const std::string_view text = "ab\nc\n\nd";
    detail::text_position position(text);
    BOOST_TEST(position.line(text.data()) == 1u);
    BOOST_TEST(position.column(text.data()) == 1u);
    BOOST_TEST(position.line(text.data() + 1) == 1u);
    BOOST_TEST(position.column(text.data() + 1) == 2u);
    BOOST_TEST(position.line(text.data() + 3) == 2u);
    BOOST_TEST(position.column(text.data() + 3) == 1u);
    BOOST_TEST(position.line(text.data() + 6) == 4u);
    BOOST_TEST(position.line(text.data() + text.size()) == 4u);
}

BOOST_AUTO_TEST_CASE(column_counts_characters_and_not_bytes)
{
    const std::string_view text = "\xc3\xa4\xe2\x82\xacx";
    detail::text_position position(text);
    BOOST_TEST(position.line(text.data() + 5) == 1u);
    BOOST_TEST(position.column(text.data() + 5) == 3u);
}

BOOST_AUTO_TEST_CASE(right_bytes_stay_and_wrong_ones_are_replaced)
{
    std::vector<problem> problems;
    const std::string right = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\n";
    BOOST_TEST(detail::replace_wrong_bytes(right, problems) == right);
    BOOST_TEST(problems.empty());

    // a stray continuation, an overlong form, a surrogate, a truncated character
    for (const char* const wrong : {"\x80", "\xc0\xaf", "\xed\xa0\x80", "\xe2\x82"}) {
        problems.clear();
        const std::string text = std::string("a") + wrong;
        const std::string expected = "a" + std::string(text.size() - 1, '?');
        BOOST_TEST(detail::replace_wrong_bytes(text, problems) == expected);
        BOOST_TEST(problems.size() == 1u);
    }
}

BOOST_AUTO_TEST_SUITE_END()
