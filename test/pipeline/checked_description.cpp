// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/checked_description.hpp>

#include "pipeline/example_stages.hpp"
#include <sluice/pipeline/builtin_stages.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

namespace checked_description {

using namespace sluice::pipeline;

// numbers -> a -> sum, which is right.
pipeline_description right_description()
{
    pipeline_description description;
    description.queues = {{.name = "a"}};
    description.runners = {
        {.stage = "numbers", .to = {"a"}},
        {.stage = "sum", .from = "a"}
    };
    return description;
}

// What is wrong with a description, a line each.
std::string mistakes_of(pipeline_description description)
{
    try {
        (void)sluice::pipeline::checked_description(
            std::move(description),
            sluice::test::example_stages()
        );
    } catch (const description_error& error) {
        return error.what();
    }
    return "";
}

}  // namespace checked_description

BOOST_AUTO_TEST_SUITE(checked_description)

BOOST_AUTO_TEST_CASE(runner_without_a_name_has_that_of_its_stage)
{
    const sluice::pipeline::checked_description checked(
        right_description(),
        sluice::test::example_stages()
    );
    BOOST_TEST(checked.description().runners[0].name == "numbers");
    BOOST_TEST(checked.description().runners[1].name == "sum");
}

BOOST_AUTO_TEST_CASE(readers_of_standard_input_are_those_that_run)
{
    stage_registry stages;
    add_builtin_stages(stages);
    pipeline_description description;
    for (const std::string name : {"a", "b", "c"}) {
        const std::string file = name == "b" ? "file" : "-";
        description.queues.push_back({.name = name});
        description.runners.push_back(
            {.name = name, .stage = "read", .options = {{"files", file}}, .to = {name}}
        );
        description.runners.push_back(
            {.name = "end of " + name, .stage = "discard", .from = name}
        );
    }
    sluice::pipeline::checked_description checked(std::move(description), stages);
    using names = std::vector<std::string>;
    BOOST_TEST((checked.readers_of_standard_input() == names{"a", "c"}));
    checked.run_only({"c", "end of c"});
    BOOST_TEST((checked.readers_of_standard_input() == names{"c"}));
}

BOOST_AUTO_TEST_CASE(each_stage_is_made_once)
{
    int made = 0;
    stage_registry stages = sluice::test::example_stages();
    stages.add(
        {.name = "counted",
         .takes = element_kind::any,
         .gives = element_kind::none,
         .make =
             [&made](const nlohmann::json&, std::vector<problem>&) {
                 ++made;
                 return std::make_unique<sluice::test::simple_stage>(
                     sluice::test::no_options()
                 );
             }}
    );
    const auto checked = read_description(
        R"({"queues": {"q": {}}, "runners": [{"stage": "numbers", "to": "q"},
                                             {"stage": "counted", "from": "q"}]})",
        stages
    );
    BOOST_TEST(checked.description().runners.size() == 2u);
    BOOST_TEST(made == 1);
}

BOOST_AUTO_TEST_CASE(values_outside_the_limits_are_mistakes)
{
    auto description = right_description();
    description.threads = 5000;
    description.queues[0].type = queue_type::shuffle;
    description.queues[0].capacity = 0;
    description.runners[0].workers = 0;
    BOOST_TEST(
        mistakes_of(description) ==
        "/threads: found 5000, expected a whole number from 0 to 1024\n"
        "/queues/a/capacity: found 0, expected a whole number from 1 to 2147483648, or "
        "a size such as \"64 MiB\"\n"
        "/runners/0/workers: found 0, expected a whole number from 1 to 1024"
    );
}

BOOST_AUTO_TEST_CASE(queue_on_a_server_drops_nothing)
{
    auto description = right_description();
    description.queues[0].type = queue_type::redis;
    description.queues[0].url = "redis://h";
    description.queues[0].overflow = sluice::overflow::drop_newest;
    BOOST_TEST(
        mistakes_of(description) ==
        "/queues/a/overflow: found \"drop_newest\", expected wait"
    );
}

BOOST_AUTO_TEST_CASE(part_of_the_runners_is_not_taken_if_it_is_wrong)
{
    sluice::pipeline::checked_description checked(
        right_description(),
        sluice::test::example_stages()
    );
    const auto mistakes = [&](std::vector<std::string> runners) -> std::string {
        try {
            checked.run_only(std::move(runners));
        } catch (const description_error& error) {
            return error.what();
        }
        return "";
    };
    BOOST_TEST(
        mistakes({"nubmers", "sum"}) ==
        "/runners: found no runner of the name \"nubmers\", expected numbers or sum; did "
        "you "
        "mean \"numbers\"?\n"
        "/queues/a: found a queue of this process that \"numbers\" cannot reach from "
        "another "
        "one, expected \"type\": \"redis\", or all of its runners together with \"sum\""
    );
    BOOST_TEST(checked.runs("numbers"));
    BOOST_TEST(mistakes({"numbers", "sum"}) == "");
    BOOST_TEST(!checked.runs("other"));
    BOOST_TEST(mistakes({}) == "");
    BOOST_TEST(checked.runs("other"));
}

BOOST_AUTO_TEST_CASE(names_that_occur_twice_are_mistakes)
{
    auto description = right_description();
    description.queues.push_back({.name = "a"});
    description.runners[1].name = "sum";
    description.runners.push_back({.name = "sum", .stage = "print", .from = "a"});
    BOOST_TEST(
        mistakes_of(description) ==
        "/queues/a: found the name \"a\" a second time, expected queues of different "
        "names; give one of them another \"name\"\n"
        "/runners/2/name: found the name \"sum\" a second time, expected runners of "
        "different names; give one of them another \"name\""
    );
}

BOOST_AUTO_TEST_CASE(runners_without_names_of_one_stage_are_numbered)
{
    auto description = right_description();
    description.runners[1] = {.name = "print_2", .stage = "print", .from = "a"};
    description.runners.push_back({.stage = "print", .from = "a"});
    description.runners.push_back({.stage = "print", .from = "a"});
    const sluice::pipeline::checked_description checked(
        description,
        sluice::test::example_stages()
    );
    const auto& runners = checked.description().runners;
    BOOST_TEST(runners[2].name == "print");
    BOOST_TEST(runners[3].name == "print_3");
}

BOOST_AUTO_TEST_CASE(error_policies_that_make_no_sense_are_mistakes)
{
    auto description = right_description();
    description.runners[0].on_error = {.action = error_action::skip};
    description.runners[1].on_error = {.action = error_action::divert, .to = {"b"}};
    description.runners.push_back(
        {.name = "other", .stage = "sum", .from = "a", .on_error = {.to = {"a"}}}
    );
    BOOST_TEST(
        mistakes_of(description) ==
        "/runners/0/on_error: found \"skip\", expected \"fail\", because the stage "
        "\"numbers\" cannot leave out single elements\n"
        "/runners/1/on_error/to: found \"b\", expected the name of a queue in "
        "\"queues\"\n"
        "/runners/1/on_error: found \"to\", expected \"fail\", because the stage "
        "\"sum\" cannot leave out single elements\n"
        "/runners/2/on_error: found \"a\", expected a queue \"to\" which elements go, "
        "and "
        "none with \"fail\" and \"skip\"\n"
        "/runners/2/on_error/to: found \"a\", expected another queue than \"from\" and "
        "\"to\" of the runner"
    );
}

BOOST_AUTO_TEST_CASE(stages_queues_and_options_are_checked_together)
{
    auto description = right_description();
    description.runners[0].stage = "nubmers";
    description.runners[1] =
        {.stage = "match", .options = {{"pattern", "("}}, .from = "b", .to = {"a"}};
    BOOST_TEST(
        mistakes_of(description) ==
        "/runners/0/stage: found \"nubmers\", expected archive, group, match, numbers, "
        "parse, pass, print, read_lines, sum or ungroup; did you mean \"numbers\"?\n"
        "/runners/1/from: found \"b\", expected the name of a queue in \"queues\"\n"
        "/runners/1/options/pattern: found \"(\", expected a regular expression"
    );
}

BOOST_AUTO_TEST_CASE(structure_is_checked_last)
{
    auto description = right_description();
    description.runners.pop_back();
    BOOST_TEST(
        mistakes_of(description) == "/queues/a: found a queue that no runner empties, "
                                    "expected a runner with \"from\": \"a\""
    );
    BOOST_TEST(
        mistakes_of({}) == "/runners: found an empty array, expected an array of runners"
    );
}

BOOST_AUTO_TEST_SUITE_END()
