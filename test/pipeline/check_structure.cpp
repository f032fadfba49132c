// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/check_structure.hpp>

#include "pipeline/example_stages.hpp"
#include <sluice/pipeline/builtin_stages.hpp>

#include <boost/test/unit_test.hpp>

#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace check_structure {

using namespace sluice::pipeline;
using sluice::test::example_stages;

struct described_runner
{
    const char* stage;
    const char* from;
    const char* to;  // queues, apart by blanks
};

std::vector<std::string> queues_in(const char* written)
{
    std::istringstream words(written);
    return {std::istream_iterator<std::string>(words), {}};
}

// What is wrong with these runners between queues a, b, ...; a line each.
std::string mistakes_of(
    const std::vector<std::string>& queues,
    const std::vector<described_runner>& runners
)
{
    pipeline_description description;
    for (const std::string& name : queues)
        description.queues.push_back({.name = name});
    for (const described_runner& each : runners)
        description.runners.push_back(
            {.name = each.stage,
             .stage = each.stage,
             .from = each.from,
             .to = queues_in(each.to)}
        );
    std::string lines;
    for (const problem& mistake :
         sluice::pipeline::check_structure(description, example_stages()))
        lines += to_string(mistake) + '\n';
    return lines;
}

}  // namespace check_structure

BOOST_AUTO_TEST_SUITE(check_structure)

BOOST_AUTO_TEST_CASE(right_structures_have_no_mistakes)
{
    BOOST_TEST(mistakes_of({"a"}, {{"read_lines", "", "a"}, {"print", "a", ""}}) == "");
    BOOST_TEST(
        mistakes_of(
            {"a", "b"},
            {{"numbers", "", "a"},
             {"numbers", "", "a"},
             {"pass", "a", "b"},
             {"sum", "b", ""}}
        ) == ""
    );
    BOOST_TEST(
        mistakes_of(
            {"a", "b"},
            {{"read_lines", "", "a"}, {"match", "a", "b"}, {"archive", "b", ""}}
        ) == ""
    );
    BOOST_TEST(
        mistakes_of(
            {"a", "b"},
            {{"read_lines", "", "a"}, {"archive", "a", "b"}, {"print", "b", ""}}
        ) == ""
    );
}

BOOST_AUTO_TEST_CASE(errors_fill_queues_with_values_and_make_cycles)
{
    pipeline_description description;
    description.queues = {{.name = "a"}, {.name = "errors"}};
    description.runners = {
        {.name = "read", .stage = "read_lines", .to = {"a"}, .on_error = {.to = "errors"}
        },
        {.name = "print", .stage = "print", .from = "a"},
        {.name = "sum", .stage = "sum", .from = "errors"}
    };
    const auto mistakes = [&description] {
        std::string lines;
        for (const problem& mistake :
             sluice::pipeline::check_structure(description, example_stages()))
            lines += to_string(mistake) + '\n';
        return lines;
    };
    BOOST_TEST(mistakes() == "");
    description.runners[2].on_error.to = "a";
    description.runners[1].on_error.to = "errors";
    BOOST_TEST(
        mistakes() ==
        "/runners/2/on_error/to: found a cycle, from \"a\" to \"errors\" to \"a\", "
        "expected queues that end one after the other; in a cycle each would wait for "
        "the "
        "others\n"
    );
}

BOOST_AUTO_TEST_CASE(each_of_several_queues_gets_what_the_runner_gives)
{
    BOOST_TEST(
        mistakes_of(
            {"a", "b"},
            {{"read_lines", "", "a b"}, {"print", "a", ""}, {"print", "b", ""}}
        ) == ""
    );
    BOOST_TEST(
        mistakes_of(
            {"a", "b"},
            {{"read_lines", "", "a b"}, {"print", "a", ""}, {"sum", "b", ""}}
        ) == "/runners/2/from: found \"b\", where \"read_lines\" puts elements of the "
             "kind text, "
             "expected elements of the kind value, which the stage \"sum\" takes\n"
    );
    BOOST_TEST(
        mistakes_of({"a", "b"}, {{"read_lines", "", "a"}, {"print", "a", "a b"}}) ==
        "/runners/1/to: found \"a\", \"b\", expected no \"to\", because the stage "
        "\"print\" "
        "is a sink\n"
        "/queues/b: found a queue that no runner empties, expected a runner with "
        "\"from\": "
        "\"b\"\n"
        "/runners/1/to/0: found a cycle, from \"a\" to \"a\", expected queues that end "
        "one "
        "after the other; in a cycle each would wait for the others\n"
    );
}

BOOST_AUTO_TEST_CASE(cycle_through_one_of_several_queues_has_its_place)
{
    BOOST_TEST(
        mistakes_of(
            {"a", "b", "c"},
            {{"read_lines", "", "a"},
             {"match", "a", "b c"},
             {"match", "b", "c a"},
             {"print", "c", ""}}
        ) ==
        "/runners/2/to/1: found a cycle, from \"a\" to \"b\" to \"a\", expected queues "
        "that end one after the other; in a cycle each would wait for the others\n"
    );
}

BOOST_AUTO_TEST_CASE(a_queue_that_no_runner_fills_or_empties_is_a_mistake)
{
    BOOST_TEST(
        mistakes_of({"a", "b/c"}, {{"read_lines", "", "a"}, {"print", "b/c", ""}}) ==
        "/queues/a: found a queue that no runner empties, expected a runner with "
        "\"from\": "
        "\"a\"\n"
        "/queues/b~1c: found a queue that no runner fills, expected a runner with "
        "\"to\": "
        "\"b/c\"\n"
    );
}

BOOST_AUTO_TEST_CASE(an_unused_queue_is_two_mistakes)
{
    BOOST_TEST(
        mistakes_of({"a", "b"}, {{"read_lines", "", "a"}, {"print", "a", ""}}) ==
        "/queues/b: found a queue that no runner fills, expected a runner with \"to\": "
        "\"b\"\n"
        "/queues/b: found a queue that no runner empties, expected a runner with "
        "\"from\": "
        "\"b\"\n"
    );
}

BOOST_AUTO_TEST_CASE(a_stage_needs_the_queues_it_takes_from_and_gives_to)
{
    BOOST_TEST(
        mistakes_of({}, {{"read_lines", "", ""}, {"match", "", ""}, {"print", "", ""}}) ==
        "/runners/0: found no \"to\", expected \"to\" and the name of a queue, because "
        "the "
        "stage \"read_lines\" gives elements\n"
        "/runners/1: found no \"from\", expected \"from\" and the name of a queue, "
        "because the "
        "stage \"match\" takes elements\n"
        "/runners/1: found no \"to\", expected \"to\" and the name of a queue, because "
        "the "
        "stage \"match\" gives elements\n"
        "/runners/2: found no \"from\", expected \"from\" and the name of a queue, "
        "because the "
        "stage \"print\" takes elements\n"
    );
}

BOOST_AUTO_TEST_CASE(a_source_has_no_from_and_a_sink_no_to)
{
    BOOST_TEST(
        mistakes_of({"a", "b"}, {{"read_lines", "b", "a"}, {"print", "a", "b"}})
            .starts_with(
                "/runners/0/from: found \"b\", expected no \"from\", because the stage "
                "\"read_lines\" is a source\n"
                "/runners/1/to: found \"b\", expected no \"to\", because the stage "
                "\"print\" is a "
                "sink\n"
            )
    );
}

BOOST_AUTO_TEST_CASE(a_stage_that_needs_neither_queue_needs_one_of_them)
{
    pipeline_description description;
    description.runners = {{.name = "x", .stage = "command"}};
    stage_registry stages;
    add_builtin_stages(stages);
    const auto mistakes = sluice::pipeline::check_structure(description, stages);
    BOOST_REQUIRE(mistakes.size() == 1u);
    BOOST_TEST(
        to_string(mistakes.front()) == "/runners/0: found no \"from\", expected \"from\" "
                                       "and the name of a queue, because "
                                       "the stage \"command\" has no \"to\" either"
    );
}

BOOST_AUTO_TEST_CASE(a_cycle_is_a_mistake)
{
    BOOST_TEST(
        mistakes_of(
            {"a", "b"},
            {{"read_lines", "", "a"},
             {"match", "a", "b"},
             {"pass", "b", "a"},
             {"print", "b", ""}}
        ) == "/runners/2/to: found a cycle, from \"a\" to \"b\" to \"a\", expected "
             "queues that end "
             "one after the other; in a cycle each would wait for the others\n"
    );
    BOOST_TEST(mistakes_of({"a"}, {{"read_lines", "", "a"}, {"pass", "a", "a"}})
                   .starts_with("/runners/1/to: found a cycle, from \"a\" to \"a\""));
}

BOOST_AUTO_TEST_CASE(each_cycle_is_told_and_nothing_that_leads_into_or_out_of_it)
{
    BOOST_TEST(
        mistakes_of(
            {"a", "b", "c", "d", "e"},
            {{"read_lines", "", "a"},
             {"match", "b", "a"},
             {"match", "a", "b"},
             {"match", "b", "c"},
             {"match", "e", "d"},
             {"match", "c", "d"},
             {"match", "d", "e"},
             {"print", "e", ""}}
        ) ==
        "/runners/2/to: found a cycle, from \"b\" to \"a\" to \"b\", expected queues "
        "that end one after the other; in a cycle each would wait for the others\n"
        "/runners/6/to: found a cycle, from \"e\" to \"d\" to \"e\", expected queues "
        "that end one after the other; in a cycle each would wait for the others\n"
    );
}

BOOST_AUTO_TEST_CASE(two_runners_between_the_same_queues_are_no_cycle)
{
    BOOST_TEST(
        mistakes_of(
            {"a", "b"},
            {{"read_lines", "", "b"},
             {"match", "b", "a"},
             {"pass", "b", "a"},
             {"print", "a", ""}}
        ) == ""
    );
}

// Kinds of elements

BOOST_AUTO_TEST_CASE(kinds_that_do_not_fit_are_a_mistake)
{
    BOOST_TEST(
        mistakes_of({"a"}, {{"read_lines", "", "a"}, {"sum", "a", ""}}) ==
        "/runners/1/from: found \"a\", where \"read_lines\" puts elements of the kind "
        "text, "
        "expected elements of the kind value, which the stage \"sum\" takes\n"
    );
}

BOOST_AUTO_TEST_CASE(kinds_are_followed_through_stages_that_pass_them_on)
{
    BOOST_TEST(
        mistakes_of(
            {"c", "b", "a"},
            {{"sum", "c", ""},
             {"pass", "b", "c"},
             {"pass", "a", "b"},
             {"read_lines", "", "a"}}
        ) == "/runners/0/from: found \"c\", where \"pass\" puts elements of the kind "
             "text, expected "
             "elements of the kind value, which the stage \"sum\" takes\n"
    );
}

BOOST_AUTO_TEST_CASE(each_kind_in_a_queue_has_to_fit)
{
    BOOST_TEST(
        mistakes_of(
            {"a"},
            {{"numbers", "", "a"}, {"read_lines", "", "a"}, {"sum", "a", ""}}
        ) == "/runners/2/from: found \"a\", where \"read_lines\" puts elements of the "
             "kind text, "
             "expected elements of the kind value, which the stage \"sum\" takes\n"
    );
}

BOOST_AUTO_TEST_CASE(what_may_be_anything_is_not_refused)
{
    BOOST_TEST(
        mistakes_of(
            {"a", "b", "c"},
            {{"read_lines", "", "a"},
             {"group", "a", "b"},
             {"ungroup", "b", "c"},
             {"sum", "c", ""}}
        ) == ""
    );
}

BOOST_AUTO_TEST_CASE(only_values_can_be_compared_by_a_part)
{
    pipeline_description description;
    description.queues.push_back(
        {.name = "a", .type = queue_type::priority, .by = "/size"}
    );
    description.runners.push_back({.name = "numbers", .stage = "numbers", .to = {"a"}});
    description.runners.push_back({.name = "print", .stage = "print", .from = "a"});
    const auto stages = example_stages();
    BOOST_TEST(sluice::pipeline::check_structure(description, stages).empty());

    description.runners[0].stage = "read_lines";
    const auto problems = sluice::pipeline::check_structure(description, stages);
    BOOST_TEST_REQUIRE(problems.size() == 1u);
    BOOST_TEST(
        to_string(problems[0]) == "/queues/a/by: found \"/size\", expected \"\", because "
                                  "\"numbers\" puts elements of "
                                  "the kind text"
    );
}

BOOST_AUTO_TEST_CASE(kinds_are_not_judged_while_the_structure_is_wrong)
{
    BOOST_TEST(
        mistakes_of({"a", "b"}, {{"read_lines", "", "a"}, {"sum", "a", ""}})
            .find("kind") == std::string::npos
    );
}

BOOST_AUTO_TEST_CASE(unknown_stages_and_queues_are_left_to_others)
{
    BOOST_TEST(
        mistakes_of({"a"}, {{"what", "", "a"}, {"print", "a", ""}, {"print", "x", ""}}) ==
        ""
    );
}

BOOST_AUTO_TEST_CASE(words_are_those_of_texts)
{
    sluice::pipeline::stage_registry stages;
    sluice::pipeline::add_builtin_stages(stages);
    const auto mistakes_after = [&](const char* format) {
        pipeline_description description;
        description.queues = {{.name = "a"}, {.name = "b"}};
        description.runners = {
            {.name = "source",
             .stage = "read",
             .options = {{"files", "x"}, {"format", format}},
             .to = {"a"}},
            {.name = "split", .stage = "split_words", .from = "a", .to = {"b"}},
            {.name = "count", .stage = "count", .from = "b"}
        };
        return sluice::pipeline::check_structure(description, stages).size();
    };
    BOOST_TEST(mistakes_after("lines") == 0U);
    BOOST_TEST(mistakes_after("json_lines") == 1U);
    BOOST_TEST(mistakes_after("csv") == 1U);
}

BOOST_AUTO_TEST_CASE(options_that_decide_what_a_stage_takes_are_heeded)
{
    // What these stages say of text lines that come from "a".
    const auto mistakes_of_taker = [](const char* stage, nlohmann::json options) {
        stage_registry stages;
        add_builtin_stages(stages);
        pipeline_description description;
        description.queues = {{.name = "a"}, {.name = "b"}};
        description.runners = {
            {.name = "read", .stage = "read", .options = {{"files", "x"}}, .to = {"a"}},
            {.name = "tested",
             .stage = stage,
             .options = std::move(options),
             .from = "a",
             .to = {"b"}},
            {.name = "parse", .stage = "split_words", .from = "b", .to = {"c"}},
            {.name = "show", .stage = "write", .from = "c"}
        };
        description.queues.push_back({.name = "c"});
        std::string lines;
        for (const problem& each : sluice::pipeline::check_structure(description, stages))
            lines += to_string(each) + '\n';
        return lines;
    };
    const std::string takes_values =
        "/runners/1/from: found \"a\", where \"read\" puts elements of the kind text, "
        "expected elements of the kind value, which the stage \"map\" takes with these "
        "options\n";
    BOOST_TEST(mistakes_of_taker("map", {{"set", {{"n", "1"}}}}).starts_with(takes_values)
    );
    BOOST_TEST(mistakes_of_taker("map", {{"field", "n"}}) == takes_values);
    BOOST_TEST(mistakes_of_taker("map", {{"replace", "x"}}) == "");
    BOOST_TEST(mistakes_of_taker("map", {{"extract", "(?<n>x)"}})
                   .starts_with(
                       "/runners/2/from: found \"b\", where \"tested\" puts elements of "
                       "the kind value, expected elements of the kind text"
                   ));
    BOOST_TEST(
        mistakes_of_taker("map", {{"extract", "(?<n>x)"}, {"unmatched", "pass"}}) == ""
    );
    BOOST_TEST(mistakes_of_taker("filter", {{"matches", "x"}}) == "");
    BOOST_TEST(mistakes_of_taker("filter", {{"where", "length > 1"}}) == "");
    BOOST_TEST(mistakes_of_taker("parse", {{"as", "json"}, {"field", "n"}})
                   .starts_with("/runners/1/from"));
    BOOST_TEST(mistakes_of_taker("filter", {{"matches", "x"}, {"field", "n"}})
                   .starts_with("/runners/1/from"));
}

BOOST_AUTO_TEST_SUITE_END()
