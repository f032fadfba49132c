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

BOOST_AUTO_TEST_CASE(unknown_format_is_a_problem)
{
    BOOST_TEST(problem_of("print", {{"format", "xml"}}) == "/format");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test::print_stage
