// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/parameters.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <vector>

namespace sluice::test {

struct parameters_fixture
{
    // The document with INPUT and EMPTY replaced.
    std::string replaced(const std::string& document)
    {
        auto root = pipeline::detail::parse_document(document, problems).value();
        const auto values = [](const std::string& name) -> std::optional<std::string> {
            if (name == "INPUT")
                return "a \"${INPUT}\"";
            return name == "EMPTY" ? std::optional<std::string>("") : std::nullopt;
        };
        pipeline::detail::replace_parameters(root, values, problems);
        return root.to_json().dump();
    }

    std::vector<pipeline::problem> problems;
};

BOOST_FIXTURE_TEST_SUITE(parameters, parameters_fixture)

BOOST_AUTO_TEST_CASE(strings_get_the_values_as_they_are)
{
    BOOST_TEST(
        replaced(R"({"a": ["x${EMPTY}y", {"b": "${INPUT}"}], "${INPUT}": 1})") ==
        R"({"${INPUT}":1,"a":["xy",{"b":"a \"${INPUT}\""}]})"
    );
    BOOST_TEST(problems.empty());
}

BOOST_AUTO_TEST_CASE(other_dollars_stay)
{
    const std::string text = R"(["$1 ${1} $INPUT ${} ${x:-y} $$ ${a b}"])";
    BOOST_TEST(replaced(text) == text);
    BOOST_TEST(problems.empty());
}

BOOST_AUTO_TEST_CASE(two_dollars_make_a_text_of_a_parameter)
{
    BOOST_TEST(replaced(R"(["$${INPUT} $${other}"])") == R"(["${INPUT} ${other}"])");
    BOOST_TEST(problems.empty());
}

BOOST_AUTO_TEST_CASE(parameter_without_a_value_is_a_problem_with_its_place)
{
    (void)replaced("{\"a\": [1,\n\"${OUTPUT}\"]}");
    BOOST_TEST_REQUIRE(problems.size() == 1U);
    BOOST_TEST(
        to_string(problems.front()) ==
        "line 2, /a/1: found ${OUTPUT}, which has no value, expected a parameter or a "
        "variable of the environment of that name; write $${OUTPUT} if this is no "
        "parameter"
    );
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
