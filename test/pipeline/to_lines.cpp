// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/to_lines.hpp"

#include "support/message_of.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

namespace sluice::test::to_lines_test {

struct to_lines_fixture
{
    static std::string lines(const pipeline::line_rules& rules)
    {
        std::vector<pipeline::element> elements;
        elements.emplace_back("a\\b \xff");
        elements.emplace_back(pipeline::json_value("quoted"));
        elements.emplace_back(
            pipeline::json_value::array({1, pipeline::written_number("1.10")})
        );
        return pipeline::to_lines(std::move(elements), rules);
    }

    static std::string line(
        const pipeline::element& element,
        const pipeline::line_rules& rules
    )
    {
        std::string made;
        pipeline::append_element(element, rules, made);
        return made;
    }

    static std::string error(const char* text, const pipeline::line_rules& rules)
    {
        return message_of([&] { (void)line(pipeline::element(text), rules); });
    }
};

BOOST_FIXTURE_TEST_SUITE(to_lines, to_lines_fixture)

using namespace pipeline;
using pipeline::to_lines;

BOOST_AUTO_TEST_CASE(texts_are_written_as_they_are)
{
    BOOST_TEST(lines({}) == "a\\b \xff\nquoted\n[1,1.10]\n");
}

BOOST_AUTO_TEST_CASE(json_is_written_for_everything)
{
    const line_rules rules{.format = line_format::json, .bytes = invalid_utf8::replace};
    BOOST_TEST(lines(rules) == "\"a\\\\b \xef\xbf\xbd\"\n\"quoted\"\n[1,1.10]\n");
}

BOOST_AUTO_TEST_CASE(newline_in_a_text_is_an_error_that_shows_it)
{
    const std::string message = error("one\ntwo", {});
    BOOST_TEST(message.starts_with("the text \"one\\ntwo\" holds a newline"), message);
}

BOOST_AUTO_TEST_CASE(newlines_can_be_escaped_so_that_no_other_text_looks_the_same)
{
    BOOST_TEST(to_line("a\nb\r\\n", newline_rule::escape) == "a\\nb\\r\\\\n");
    const element value(json_value("a\nb"));
    BOOST_TEST(line(element(value), {.newlines = newline_rule::escape}) == "a\\nb");
}

BOOST_AUTO_TEST_CASE(newlines_can_be_kept)
{
    BOOST_TEST(to_line("a\nb", newline_rule::keep) == "a\nb");
}

BOOST_AUTO_TEST_CASE(newlines_in_json_are_no_ends_of_lines)
{
    BOOST_TEST(line(element(json_value::array({"a\nb"})), {}) == "[\"a\\nb\"]");
    BOOST_TEST(line(element("a\nb"), {.format = line_format::json}) == "\"a\\nb\"");
}

BOOST_AUTO_TEST_CASE(bytes_that_json_cannot_hold_are_an_error_with_a_remedy)
{
    const std::string message = error("caf\xe9", {.format = line_format::json});
    BOOST_TEST(message.starts_with(R"(the text "caf\xe9" is not UTF-8)"), message);
    BOOST_TEST(message.find(R"("invalid_utf8": "replace")") != message.npos, message);
}

BOOST_AUTO_TEST_CASE(options_choose_the_rules)
{
    line_options options;
    BOOST_TEST((text_rules(options).newlines == newline_rule::refuse));
    BOOST_TEST((text_rules(options).bytes == invalid_utf8::refuse));
    options.newlines = "escape";
    options.invalid_utf8 = "replace";
    BOOST_TEST((text_rules(options).newlines == newline_rule::escape));
    BOOST_TEST((text_rules(options).bytes == invalid_utf8::replace));
    options.newlines = "keep";
    BOOST_TEST((text_rules(options).newlines == newline_rule::keep));
    BOOST_TEST((json_rules(options).format == line_format::json));
    BOOST_TEST((json_rules(options).bytes == invalid_utf8::replace));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test::to_lines_test
