// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/words.hpp"

#include <boost/test/unit_test.hpp>

#include <nlohmann/json.hpp>

#include <string>

namespace words {

using namespace sluice::pipeline::detail;
using nlohmann::json;

}  // namespace words

BOOST_AUTO_TEST_SUITE(words)

BOOST_AUTO_TEST_CASE(quotes_escape_also_bytes_that_are_not_utf8)
{
    BOOST_TEST(in_quotes("a\"b\n") == R"("a\"b\n")");
    BOOST_TEST(in_quotes("caf\xe9 \xff\xc3\xa9") == "\"caf\\xe9 \\xff\xc3\xa9\"");
}

BOOST_AUTO_TEST_CASE(long_quotes_are_cut_between_characters)
{
    BOOST_TEST(in_quotes(std::string(60, 'x')) == '"' + std::string(60, 'x') + '"');
    BOOST_TEST(in_quotes(std::string(61, 'x')) == '"' + std::string(60, 'x') + "...\"");
    BOOST_TEST(
        in_quotes(std::string(59, 'x') + "\xc3\xa4\xc3\xa4") ==
        '"' + std::string(59, 'x') + "...\""
    );
}

BOOST_AUTO_TEST_CASE(values_are_shown_and_containers_named)
{
    BOOST_TEST(in_words("x") == "\"x\"");
    BOOST_TEST(in_words(-1) == "-1");
    BOOST_TEST(in_words(true) == "true");
    BOOST_TEST(in_words(nullptr) == "null");
    BOOST_TEST(in_words(json::array({1, 2})) == "an array");
    BOOST_TEST(in_words(json::object()) == "an object");
}

BOOST_AUTO_TEST_CASE(values_are_shown_as_json_whatever_their_bytes)
{
    BOOST_TEST(in_json({"a", 1, {{"b", nullptr}}}) == R"(["a",1,{"b":null}])");
    BOOST_TEST(in_json({"\xff"}) == R"(["\xff"])");
    BOOST_TEST(in_json(std::string(60, 'x')) == '"' + std::string(59, 'x') + "...");
}

BOOST_AUTO_TEST_CASE(lists_read_like_sentences)
{
    BOOST_TEST(one_of({}) == "");
    BOOST_TEST(one_of({"a"}) == "a");
    BOOST_TEST(one_of({"a", "b"}) == "a or b");
    BOOST_TEST(one_of({"a", "b", "c"}) == "a, b or c");
}

BOOST_AUTO_TEST_CASE(one_thing_is_no_plural)
{
    BOOST_TEST(counted(0, "field") == "0 fields");
    BOOST_TEST(counted(1, "field") == "1 field");
    BOOST_TEST(counted(2, "field") == "2 fields");
}

BOOST_AUTO_TEST_CASE(hint_names_the_nearest_or_is_empty)
{
    BOOST_TEST(did_you_mean("fivo", {"fifo"}) == "did you mean \"fifo\"?");
    BOOST_TEST(did_you_mean("other", {"fifo"}) == "");
}

BOOST_AUTO_TEST_CASE(pointer_step_is_escaped)
{
    BOOST_TEST(pointer_step("a~b/c") == "/a~0b~1c");
    BOOST_TEST(pointer_step("") == "/");
}

BOOST_AUTO_TEST_CASE(runner_has_its_stage_behind_it_unless_it_is_called_so)
{
    using sluice::pipeline::detail::runner_title;
    BOOST_TEST(runner_title("clean\n", "filter") == "clean\\n (filter)");
    BOOST_TEST(runner_title("filter", "filter") == "filter");
    BOOST_TEST(runner_title("filter_2", "filter") == "filter_2 (filter)");
}

BOOST_AUTO_TEST_SUITE_END()
