// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stage_fixture.hpp"

#include <boost/test/unit_test.hpp>

namespace sluice::test::print_stage {

struct print_fixture : stage_fixture
{
    std::string print(const json& options)
    {
        const auto tested = make("print", options);
        fake_stage_context context(ctx, to_elements({"a \"text\""}));
        context.input.emplace_back(json("string"));
        context.input.emplace_back(json{{"n", 1.5}});
        context.input.emplace_back(element::list{element("x"), element(json(2))});
        run_until_done(run_stage(*tested, context));
        return context.printed.text();
    }
};

BOOST_FIXTURE_TEST_SUITE(print, print_fixture)

BOOST_AUTO_TEST_CASE(text_format_prints_texts_as_they_are)
{
    BOOST_TEST(print(json::object()) == "a \"text\"\nstring\n{\"n\":1.5}\n[\"x\",2]\n");
}

BOOST_AUTO_TEST_CASE(json_format_prints_everything_as_json)
{
    BOOST_TEST(
        print({{"format", "json"}}) ==
        "\"a \\\"text\\\"\"\n\"string\"\n{\"n\":1.5}\n[\"x\",2]\n"
    );
}

BOOST_AUTO_TEST_CASE(newline_in_a_text_is_refused_or_escaped)
{
    BOOST_TEST(holds(
        error_of("print", json::object(), to_elements({"a\nb"})),
        "cannot write an element: the text \"a\\nb\" holds a newline"
    ));
    const auto tested = make("print", {{"newlines", "escape"}});
    fake_stage_context context(ctx, to_elements({"a\nb"}));
    run_until_done(run_stage(*tested, context));
    BOOST_TEST(context.printed.text() == "a\\nb\n");
}

BOOST_AUTO_TEST_CASE(bytes_that_json_cannot_hold_are_refused_or_replaced)
{
    json options{{"format", "json"}};
    BOOST_TEST(holds(error_of("print", options, to_elements({"\xff"})), "is not UTF-8"));
    options["invalid_utf8"] = "replace";
    BOOST_TEST(error_of("print", options, to_elements({"\xff"})) == "no error");
}

BOOST_AUTO_TEST_CASE(option_without_effect_is_a_problem_that_says_so)
{
    BOOST_TEST(
        to_string(full_problem_of("print", {{"format", "json"}, {"newlines", "keep"}})) ==
        R"(/newlines: found "keep", expected no such option, unless "format" is "text")"
    );
}

BOOST_AUTO_TEST_CASE(unknown_format_is_a_problem)
{
    BOOST_TEST(problem_of("print", {{"format", "xml"}}) == "/format");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test::print_stage
