// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/stage_registry.hpp>

#include "pipeline/example_stages.hpp"
#include <sluice/error.hpp>

#include <boost/test/unit_test.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace stage_registry {

using namespace sluice::pipeline;
using nlohmann::json;
using sluice::pipeline::problem;  // there is a suite of that name, too
using sluice::test::example_stages;

bool is_invalid_argument(const sluice::system_error& error)
{
    return error.code() == sluice::errc::invalid_argument;
}

}  // namespace stage_registry

BOOST_AUTO_TEST_SUITE(stage_registry)

BOOST_AUTO_TEST_CASE(stages_are_found_by_name)
{
    const auto stages = example_stages();
    BOOST_TEST_REQUIRE(stages.find("match") != nullptr);
    BOOST_TEST(stages.find("match")->summary == "passes lines on");
    BOOST_TEST((stages.find("match")->takes == element_kind::text));
    BOOST_TEST(stages.find("mat") == nullptr);
    BOOST_TEST(stages.find("") == nullptr);
}

BOOST_AUTO_TEST_CASE(names_are_sorted)
{
    const std::vector<std::string> names = example_stages().names();
    BOOST_TEST(names.size() == example_stages().all().size());
    BOOST_TEST(std::is_sorted(names.begin(), names.end()));
    BOOST_TEST(names.front() == "archive");
}

BOOST_AUTO_TEST_CASE(a_taken_or_empty_name_is_refused)
{
    auto stages = example_stages();
    BOOST_CHECK_EXCEPTION(
        stages.add({.name = "match", .summary = "", .options = {}, .make = {}}),
        sluice::system_error,
        is_invalid_argument
    );
    BOOST_CHECK_EXCEPTION(
        stages.add({.name = "", .summary = "", .options = {}, .make = {}}),
        sluice::system_error,
        is_invalid_argument
    );
    BOOST_TEST(stages.find("match")->summary == "passes lines on");
}

BOOST_AUTO_TEST_CASE(right_options_make_a_stage)
{
    const auto stages = example_stages();
    std::vector<problem> problems;
    const auto made = stages.find("match")->make(json{{"pattern", "x"}}, problems);
    BOOST_TEST(made != nullptr);
    BOOST_TEST(problems.empty());
}

BOOST_AUTO_TEST_CASE(wrong_options_make_problems_and_no_stage)
{
    const auto stages = example_stages();
    std::vector<problem> problems;
    const auto made = stages.find("match")->make(json{{"pattern", 1}}, problems);
    BOOST_TEST(made == nullptr);
    BOOST_TEST_REQUIRE(problems.size() == 1u);
    BOOST_TEST(to_string(problems[0]) == "/pattern: found 1, expected a string");
}

BOOST_AUTO_TEST_CASE(an_option_that_the_constructor_refuses_is_a_problem)
{
    const auto stages = example_stages();
    std::vector<problem> problems;
    const auto made = stages.find("match")->make(json{{"pattern", "("}}, problems);
    BOOST_TEST(made == nullptr);
    BOOST_TEST_REQUIRE(problems.size() == 1u);
    BOOST_TEST(
        to_string(problems[0]) == "/pattern: found \"(\", expected a regular expression"
    );
}

BOOST_AUTO_TEST_SUITE_END()
