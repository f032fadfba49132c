// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/csv_line.hpp"

#include <sluice/pipeline/stage_options.hpp>

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace sluice::test {

using fields = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(csv_line)

BOOST_AUTO_TEST_CASE(fields_stand_between_separators)
{
    BOOST_TEST(pipeline::split_csv("a,b", ',') == (fields{"a", "b"}));
    BOOST_TEST(pipeline::split_csv(",", ',') == (fields{"", ""}));
    BOOST_TEST(pipeline::split_csv("", ',') == (fields{""}));
    BOOST_TEST(pipeline::split_csv("a,b;c", ';') == (fields{"a,b", "c"}));
}

BOOST_AUTO_TEST_CASE(line_ends_once)
{
    for (const char* const end : {"", "\n", "\r", "\r\n"}) {
        BOOST_TEST(
            pipeline::split_csv(std::string("a,b") + end, ',') == (fields{"a", "b"})
        );
        BOOST_TEST(
            pipeline::split_csv(std::string("\"\n\"") + end, ',') == (fields{"\n"})
        );
    }
    for (const char* const lines : {"1,2\n3,4", "1\r2", "a\n,b", "\n\n", "\"a\"\n\"b\""})
        BOOST_CHECK_THROW((void)pipeline::split_csv(lines, ','), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(quotes_protect_separators_and_are_doubled)
{
    const fields expected = {"a,b", "", "say \"x\""};
    BOOST_TEST(pipeline::split_csv(R"("a,b","","say ""x""")", ',') == expected);
}

BOOST_AUTO_TEST_CASE(quotes_that_are_wrong_are_errors)
{
    for (const char* line : {R"("a)", R"("a"b)", R"(x,"a"")"})
        BOOST_CHECK_THROW((void)pipeline::split_csv(line, ','), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read_again)
{
    const fields all = {"plain", "", "a,b", "say \"x\"", "two\nlines", "\r", " "};
    std::string line;
    for (const std::string& field : all) {
        if (&field != &all.front())
            line += ',';
        pipeline::append_csv_field(field, ',', line);
    }
    BOOST_TEST(line == "plain,,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",\"\r\", ");
    BOOST_TEST(pipeline::split_csv(line, ',') == all);
}

BOOST_AUTO_TEST_CASE(field_that_begins_as_files_may_is_in_quotes)
{
    for (const std::string mark : {"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"}) {
        std::string line;
        pipeline::append_csv_field(mark + "a", ',', line);
        BOOST_TEST(line == '"' + mark + "a\"");
    }
}

BOOST_AUTO_TEST_CASE(separators_are_one_character_of_ascii)
{
    BOOST_TEST(pipeline::checked_separator("\t") == '\t');
    for (const char* wrong : {"", "ab", "\"", "\n", "\r", "\xc3"})
        BOOST_CHECK_THROW(
            (void)pipeline::checked_separator(wrong),
            pipeline::option_error
        );
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
