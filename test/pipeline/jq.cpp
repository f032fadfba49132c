// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stage_fixture.hpp"

#include <boost/test/unit_test.hpp>

namespace sluice::test {

BOOST_FIXTURE_TEST_SUITE(jq, stage_fixture)

BOOST_AUTO_TEST_CASE(each_result_becomes_an_element)
{
    std::vector<element> input;
    input.emplace_back(json{{"tags", {"a", "b"}}});
    input.emplace_back(json{{"tags", json::array()}});
    input.emplace_back(json{{"tags", {1, {{"x", 2}}}}});
    const auto result = result_of("jq", {{"program", ".tags[]"}}, std::move(input));
    BOOST_TEST(to_texts(result) == (texts{"a", "b", "1", R"({"x":2})"}));
    BOOST_TEST(result.front().is_text());
}

BOOST_AUTO_TEST_CASE(texts_are_changed_as_strings)
{
    const json options = {{"program", "select(length > 1) | ascii_upcase"}};
    BOOST_TEST(lines_of("jq", options, {"a", "bc"}) == (texts{"BC"}));
}

BOOST_AUTO_TEST_CASE(impossible_programs_are_problems)
{
    BOOST_TEST(problem_of("jq", {{"program", ".a |"}}) == "/program");
    BOOST_TEST(problem_of("jq", json::object()) == "/program");
}

BOOST_AUTO_TEST_CASE(long_programs_are_quoted_by_their_beginnings)
{
    const json options = {{"program", std::string(200'000, '(')}};
    const std::string message = to_string(full_problem_of("jq", options));
    BOOST_TEST(message.size() < 500U, message.substr(0, 500));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
