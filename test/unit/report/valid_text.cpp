// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "report/valid_text.hpp"

#include <boost/test/unit_test.hpp>

namespace report = sluice::report;

BOOST_AUTO_TEST_SUITE(valid_text)

BOOST_AUTO_TEST_CASE(utf_8_stays)
{
    for (const char* const text : {
             "",
             "a",
             "\x7f",
             "\xc2\x80",
             "\xdf\xbf",
             "\xe0\xa0\x80",
             "\xed\x9f\xbf",
             "\xee\x80\x80",
             "\xf0\x90\x80\x80",
             "\xf4\x8f\xbf\xbf",
         })
        BOOST_TEST(report::valid_text(text) == text);
}

BOOST_AUTO_TEST_CASE(each_byte_of_anything_else_is_replaced)
{
    const auto replaced = [](const std::string& text) {
        std::string result;
        for (const char c : report::valid_text(text))
            result += c == '\xef'                  ? "?"
                      : c == '\xbf' || c == '\xbd' ? ""
                                                   : std::string{c};
        return result;
    };
    BOOST_TEST(replaced("a\x80") == "a?");
    BOOST_TEST(
        replaced("Gr\xf6\xdf"
                 "e") == "Gr??e"
    );
    BOOST_TEST(replaced("\xc3(") == "?(");
    BOOST_TEST(replaced("\xc1\x81") == "??");
    BOOST_TEST(replaced("\xe0\x9f\x80") == "???");
    BOOST_TEST(replaced("\xed\xa0\x80") == "???");
    BOOST_TEST(replaced("\xf0\x8f\x80\x80") == "????");
    BOOST_TEST(replaced("\xf4\x90\x80\x80") == "????");
    BOOST_TEST(replaced("\xf5\x80\x80\x80") == "????");
    BOOST_TEST(replaced("\xe2\x82") == "??");
}

BOOST_AUTO_TEST_SUITE_END()
