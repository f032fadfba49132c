// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/problem.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace problem {

using sluice::pipeline::description_error;
using sluice::pipeline::nearest_name;
using sluice::pipeline::to_string;

}  // namespace problem

BOOST_AUTO_TEST_SUITE(problem)

BOOST_AUTO_TEST_CASE(text_has_place_found_expected_and_hint)
{
    BOOST_TEST(
        to_string(
            {.line = 4,
             .pointer = "/queues/lines/type",
             .found = "\"fivo\"",
             .expected = "fifo or shuffle",
             .hint = "did you mean \"fifo\"?"}
        ) == "line 4, /queues/lines/type: found \"fivo\", expected fifo or shuffle; did "
             "you mean "
             "\"fifo\"?"
    );
}

BOOST_AUTO_TEST_CASE(text_leaves_out_what_is_not_known)
{
    BOOST_TEST(
        to_string({.line = 4, .found = "1", .expected = "2"}) ==
        "line 4: found 1, expected 2"
    );
    BOOST_TEST(
        to_string({.pointer = "/a", .found = "1", .expected = "2"}) ==
        "/a: found 1, expected 2"
    );
    BOOST_TEST(
        to_string({.found = "1", .expected = "2"}) == "the document: found 1, expected 2"
    );
}

BOOST_AUTO_TEST_CASE(error_carries_and_lists_all_problems)
{
    const description_error error(
        {{.line = 1, .found = "1", .expected = "2"},
         {.line = 2, .found = "3", .expected = "4"}}
    );
    BOOST_TEST(error.problems().size() == 2u);
    BOOST_TEST(
        error.what() ==
        std::string("line 1: found 1, expected 2\nline 2: found 3, expected 4")
    );
}

BOOST_AUTO_TEST_CASE(nearest_name_is_one_or_a_few_letters_away)
{
    const std::vector<std::string> known =
        {"fifo", "shuffle", "priority", "padding", "stop_grace_period", "to", "from"};
    BOOST_TEST(nearest_name("fivo", known) == "fifo");
    BOOST_TEST(nearest_name("--tea", {"--set"}).empty());
    BOOST_TEST(nearest_name("--sett", {"--set"}) == "--set");
    BOOST_TEST(nearest_name("FIFO", known) == "fifo");
    BOOST_TEST(nearest_name("shufle", known) == "shuffle");
    BOOST_TEST(nearest_name("shuffel", known) == "shuffle");
    BOOST_TEST(nearest_name("pading", known) == "padding");
    BOOST_TEST(nearest_name("stop_grace_peroid", known) == "stop_grace_period");
    BOOST_TEST(nearest_name("form", known) == "from");
    BOOST_TEST(nearest_name("too", known) == "to");
}

BOOST_AUTO_TEST_CASE(nearest_name_is_the_nearest_and_the_first_of_equals)
{
    BOOST_TEST(nearest_name("words", {"wards", "words1", "words"}) == "words");
    BOOST_TEST(nearest_name("lines", {"line1", "line2"}) == "line1");
}

BOOST_AUTO_TEST_CASE(nearest_name_is_the_only_one_that_begins_so)
{
    const std::vector<std::string> formats = {"lines", "csv", "json_lines"};
    BOOST_TEST(nearest_name("json", formats) == "json_lines");
    BOOST_TEST(nearest_name("JSONL", formats) == "json_lines");
    BOOST_TEST(nearest_name("js", formats) == "");
    BOOST_TEST(nearest_name("min", {"min_after", "minimum_of_all"}) == "");
}

BOOST_AUTO_TEST_CASE(nearest_name_of_something_else_is_none)
{
    const std::vector<std::string> known = {"fifo", "shuffle", "x"};
    BOOST_TEST(nearest_name("random", known) == "");
    BOOST_TEST(nearest_name("", known) == "");
    BOOST_TEST(nearest_name("y", known) == "");
    BOOST_TEST(nearest_name(std::string(100'000, 'f'), known) == "");
    BOOST_TEST(nearest_name("fifo", {}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
