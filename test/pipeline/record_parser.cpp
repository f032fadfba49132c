// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/record_parser.hpp"

#include "pipeline/stages/csv_parser.hpp"

#include <boost/algorithm/string/replace.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace sluice::test {

using namespace pipeline;

BOOST_AUTO_TEST_SUITE(record_parser)

// A source without an end may not send more for a long time.
BOOST_AUTO_TEST_CASE(long_record_is_there_when_its_end_has_come)
{
    const std::string half(70'000, 'x');
    line_parser lines(field_form::text);
    const csv_options options;
    csv_parser csv(options);
    for (pipeline::record_parser* const parser :
         {static_cast<pipeline::record_parser*>(&lines),
          static_cast<pipeline::record_parser*>(&csv)}) {
        std::vector<element> out;
        parser->begin("pipe");
        if (parser == &csv)
            parser->parse("a\n", out);
        parser->parse(half, out);
        BOOST_TEST(out.empty());
        parser->parse(half.substr(0, 10) + "\n", out);
        BOOST_TEST(out.size() == 1U);
    }
}

BOOST_AUTO_TEST_CASE(quoted_field_is_there_when_its_quote_has_come)
{
    const csv_options options;
    csv_parser csv(options);
    std::vector<element> out;
    csv.begin("pipe");
    csv.parse("a,b\n1,\"" + std::string(70'000, 'x'), out);
    csv.parse("\n\"\"", out);
    csv.parse("y\"", out);
    BOOST_TEST(out.empty());
    csv.parse("\n", out);
    BOOST_TEST_REQUIRE(out.size() == 1U);
    BOOST_TEST((out.front().to_json().at("b") == std::string(70'000, 'x') + "\n\"y"));
}

// So that the memory of a file without values is that of a piece.
BOOST_AUTO_TEST_CASE(buffer_without_a_record_is_not_kept)
{
    line_parser lines(field_form::json);
    lines.keep_refused();
    std::vector<element> out;
    lines.begin("log");
    for (int i = 0; i < 100; ++i)
        lines.parse(std::string(999, ' ') + "\nno JSON\n", out);
    lines.parse("1\n", out);
    BOOST_TEST_REQUIRE(out.size() == 1U);
    BOOST_TEST(pipeline::detail::block_of(out.front())->kept_bytes() < 3000U);
}

// Also of what is left out: a preamble, a comment, and records that are wrong.
BOOST_AUTO_TEST_CASE(lines_of_csv_end_with_a_newline_a_carriage_return_or_both)
{
    const std::string file = "made by x\n#a\na,b\n1,2\n#3,4\n\n5,\"6\n7,8\n9,\"x\"y\n" +
                             std::string(50, 'z') + "\n10,11\n12,\"13\n14,15\n#16";
    const csv_options options{.skip_lines = 1, .comment = "#"};
    for (const std::string end : {"\n", "\r", "\r\n"}) {
        const std::string text = boost::replace_all_copy(file, "\n", end);
        for (const std::size_t size : {std::size_t{1}, std::size_t{2}, text.size()}) {
            csv_parser csv(options);
            csv.keep_refused();
            csv.limit_records(30);
            std::vector<element> out;
            csv.begin("file");
            for (std::size_t i = 0; i < text.size(); i += size)
                csv.parse(std::string_view(text).substr(i, size), out);
            csv.end(out);
            std::string found;
            for (element& each : out)
                found += each.to_json().at("a").get<std::string>() + " ";
            for (const auto& each : csv.take_refused())
                found += each.reason.substr(0, each.reason.find(':')) + ", ";
            BOOST_TEST(
                found == "1 7 10 14 file, line 7, file, line 9, file, line 10, "
                         "file, line 12, "
            );
        }
    }
}

// However a wrong record comes, its reason is the same.
BOOST_AUTO_TEST_CASE(lines_of_a_wrong_record_are_counted_once)
{
    const csv_options options;
    csv_parser csv(options);
    csv.keep_refused();
    std::vector<element> out;
    csv.begin("pipe");
    for (const char each : std::string_view("a\n\"1\n2\"x\n"))
        csv.parse(std::string_view(&each, 1), out);
    csv.end(out);
    const auto refused = csv.take_refused();
    BOOST_TEST_REQUIRE(!refused.empty());
    BOOST_TEST(refused.front().reason.ends_with("the record goes on to line 3"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
