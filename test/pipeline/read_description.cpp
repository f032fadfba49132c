// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/read_description.hpp>

#include "pipeline/example_stages.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace read_description {

using namespace sluice::pipeline;
using sluice::pipeline::pipeline_description;
using sluice::pipeline::problem;
using sluice::test::example_description;
using sluice::test::example_stages;
using sluice::test::mistakes_of;
using sluice::test::problems_of;

// The example with one text replaced by another.
std::string example_with(std::string_view old_text, std::string_view new_text)
{
    std::string text(example_description);
    const std::size_t at = text.find(old_text);
    BOOST_REQUIRE(at != std::string::npos);
    return text.replace(at, old_text.size(), new_text);
}

struct broken_example
{
    const char* old_text;
    const char* new_text;
    const char* mistakes;
};

void check_all(std::initializer_list<broken_example> examples)
{
    for (const broken_example& each : examples)
        BOOST_TEST(
            mistakes_of(example_with(each.old_text, each.new_text)) ==
            std::string(each.mistakes)
        );
}

}  // namespace read_description

BOOST_AUTO_TEST_SUITE(read_description)

BOOST_AUTO_TEST_CASE(example_gives_every_value)
{
    const auto checked =
        sluice::pipeline::read_description(example_description, example_stages());
    const pipeline_description& pipeline = checked.description();
    BOOST_TEST(pipeline.name == "word_count");
    BOOST_TEST(pipeline.threads == 2u);
    BOOST_TEST((pipeline.stop_grace_period == std::chrono::milliseconds(1500)));

    BOOST_TEST_REQUIRE(pipeline.queues.size() == 4u);
    BOOST_TEST(pipeline.queues[0].name == "lines");
    BOOST_TEST((pipeline.queues[0].type == queue_type::fifo));
    BOOST_TEST(pipeline.queues[0].capacity == 64u);
    BOOST_TEST(pipeline.queues[1].name == "words");
    BOOST_TEST((pipeline.queues[1].type == queue_type::shuffle));
    BOOST_TEST(pipeline.queues[1].min_after_dequeue == 512u);
    BOOST_TEST(pipeline.queues[1].seed.value() == 7u);
    BOOST_TEST((pipeline.queues[2].type == queue_type::priority));
    BOOST_TEST(pipeline.queues[2].by == "/size");
    BOOST_TEST(pipeline.queues[2].capacity == sluice::unbounded);
    BOOST_TEST(pipeline.queues[2].memory.count == 1024u * 1024u);
    BOOST_TEST((pipeline.queues[2].overflow == sluice::overflow::wait));
    BOOST_TEST((pipeline.queues[3].type == queue_type::padding));
    BOOST_TEST((pipeline.queues[3].overflow == sluice::overflow::drop_oldest));

    BOOST_TEST_REQUIRE(pipeline.runners.size() == 5u);
    BOOST_TEST(pipeline.runners[0].from.empty());
    BOOST_TEST(pipeline.runners[0].to == std::vector<std::string>{"lines"});
    BOOST_TEST(pipeline.runners[0].options["order"] == "random");
    BOOST_TEST(pipeline.runners[1].name == "split");
    BOOST_TEST(pipeline.runners[1].stage == "match");
    BOOST_TEST(pipeline.runners[1].workers == 4u);
    BOOST_TEST(pipeline.runners[1].ordered);
    BOOST_TEST(!pipeline.runners[2].ordered);
    BOOST_TEST(pipeline.runners[2].name == "parse");
    BOOST_TEST(pipeline.runners[2].workers == 1u);
    BOOST_TEST(pipeline.runners[4].to.empty());
}

BOOST_AUTO_TEST_CASE(queues_keep_the_order_of_the_file)
{
    const auto checked = sluice::pipeline::read_description(
        R"({"queues": {"z": {}, "a": {}, "m": {}},
            "runners": [{"stage": "numbers", "to": "z"},
                        {"name": "1", "stage": "pass", "from": "z", "to": "m"},
                        {"name": "2", "stage": "pass", "from": "m", "to": "a"},
                        {"stage": "sum", "from": "a"}]})",
        example_stages()
    );
    const pipeline_description& pipeline = checked.description();
    BOOST_TEST_REQUIRE(pipeline.queues.size() == 3u);
    BOOST_TEST(pipeline.queues[0].name == "z");
    BOOST_TEST(pipeline.queues[1].name == "a");
    BOOST_TEST(pipeline.queues[2].name == "m");
}

BOOST_AUTO_TEST_CASE(what_is_left_out_has_defaults)
{
    const auto checked = sluice::pipeline::read_description(
        R"({"queues": {"q": {}}, "runners": [{"stage": "numbers", "to": "q"},
                                             {"stage": "sum", "from": "q"}]})",
        example_stages()
    );
    const pipeline_description& pipeline = checked.description();
    BOOST_TEST(pipeline.name == "pipeline");
    BOOST_TEST(pipeline.threads == 0u);
    BOOST_TEST((pipeline.stop_grace_period == std::chrono::seconds(10)));
    BOOST_TEST((pipeline.queues[0].type == queue_type::fifo));
    BOOST_TEST(pipeline.queues[0].capacity == 256u);
    BOOST_TEST(!pipeline.queues[0].seed);
    BOOST_TEST(pipeline.runners[0].options == nlohmann::json::object());
}

// Names

BOOST_AUTO_TEST_CASE(unknown_names_get_the_nearest_known_one)
{
    check_all({
        {"\"threads\"",
         "\"thread\"",
         "line 4, /thread: found \"thread\", expected name, description, threads, "
         "coordinator, queues, runners or $schema; did you mean \"threads\"?\n"},
        {"\"stop_grace_period\"",
         "\"grace\"",
         "line 5, /coordinator/grace: found \"grace\", expected stop_grace_period\n"},
        {"\"capacity\": 64",
         "\"capacitiy\": 64",
         "line 7, /queues/lines/capacitiy: found \"capacitiy\", expected type, "
         "capacity, memory or overflow; did you mean \"capacity\"?\n"},
        {"\"workers\"",
         "\"Workers\"",
         "line 25, /runners/1/Workers: found \"Workers\", expected name, stage, options, "
         "from, to, workers, ordered, on_error, acknowledge or copies; did you mean "
         "\"workers\"?\n"},
        {"\"shuffle\"",
         "\"shufle\"",
         "line 8, /queues/words/type: found \"shufle\", expected fifo, shuffle, "
         "priority, "
         "padding or redis; did you mean \"shuffle\"?\n"},
        {"\"read_lines\"",
         "\"read_line\"",
         "line 15, /runners/0/stage: found \"read_line\", expected archive, group, "
         "match, "
         "numbers, parse, pass, print, read_lines, sum or ungroup; did you mean "
         "\"read_lines\"?\n"},
        {"\"to\": \"words\"",
         "\"acknowledge\": \"take\", \"to\": \"words\"",
         "line 24, /runners/1/acknowledge: found \"take\", expected written or taken; "
         "did "
         "you mean \"taken\"?\n"},
        {"\"to\": \"words\"",
         "\"to\": [\"words\", \"job\"]",
         "line 24, /runners/1/to/1: found \"job\", expected the name of a queue in "
         "\"queues\"; did you mean \"jobs\"?\n"},
        {"\"to\": \"words\"",
         "\"to\": \"word\"",
         "line 24, /runners/1/to: found \"word\", expected the name of a queue in "
         "\"queues\"; did you mean \"words\"?\n"},
    });
}

BOOST_AUTO_TEST_CASE(fields_of_another_type_of_queue_are_explained)
{
    check_all({
        {"\"capacity\": 64",
         "\"seed\": 64",
         "line 7, /queues/lines/seed: found \"seed\", expected type, capacity, memory "
         "or overflow; it is for queues of type \"shuffle\", and this one is \"fifo\"\n"},
        {"\"min_after_dequeue\": 512",
         "\"by\": \"/x\"",
         "line 8, /queues/words/by: found \"by\", expected type, capacity, memory, "
         "overflow, min_after_dequeue or seed; it is for queues of type \"priority\" or "
         "\"redis\", and this one is \"shuffle\"\n"},
    });
}

BOOST_AUTO_TEST_CASE(option_beside_the_stage_is_told_once_with_its_right_place)
{
    BOOST_TEST(
        mistakes_of("{\"queues\": {\"a\": {}}, \"runners\": [\n"
                    "{\"stage\": \"read_lines\",\n\"files\": [\"x\"], \"to\": \"a\"},"
                    "{\"stage\": \"print\", \"from\": \"a\"}]}") ==
        "line 3, /runners/0/files: found \"files\" beside \"stage\", expected this "
        "option of "
        "the stage \"read_lines\" inside of \"options\"; write \"options\": "
        "{\"files\": [\"x\"]}\n"
    );
    check_all({
        {"\"workers\": 4",
         "\"share\": 2",
         "line 25, /runners/1/share: found \"share\" beside \"stage\", expected this "
         "option "
         "of the stage \"match\" inside of \"options\"; write \"options\": {\"share\": "
         "2}\n"},
    });
}

BOOST_AUTO_TEST_CASE(queue_on_a_server_has_no_rule_for_an_overflow)
{
    const std::string mistakes = mistakes_of(R"({"queues": {"a": {"type": "redis",
        "url": "redis://h", "overflow": "drop_oldest"}}, "runners": []})");
    const std::string expected =
        R"(/queues/a/overflow: found "overflow", expected type, url, key, capacity, kind, )"
        R"(min_after_dequeue, by, lease, max_deliveries, retry_delay or max_retry_delay; it is for queues of type "fifo", )"
        R"("shuffle", "priority" or "padding", and this one is "redis")";
    BOOST_TEST(mistakes.find(expected) != std::string::npos, mistakes);
}

BOOST_AUTO_TEST_CASE(runners_without_a_name_are_numbered_where_their_stages_are_the_same)
{
    const auto checked = sluice::pipeline::read_description(
        R"({"queues": {"a": {}, "b": {}, "c": {}, "d": {}},
            "runners": [{"stage": "numbers", "to": "a"},
                        {"stage": "pass", "from": "a", "to": "b"},
                        {"stage": "pass", "from": "b", "to": "c"},
                        {"name": "pass_2", "stage": "pass", "from": "c", "to": "d"},
                        {"stage": "sum", "from": "d"}]})",
        example_stages()
    );
    std::vector<std::string> names;
    for (const runner_description& runner : checked.description().runners)
        names.push_back(runner.name);
    const std::vector<std::string> expected{"numbers", "pass", "pass_3", "pass_2", "sum"};
    BOOST_TEST(names == expected);
}

BOOST_AUTO_TEST_CASE(capacity_may_be_overridden_in_bytes)
{
    const auto checked = sluice::pipeline::read_description(
        example_description,
        example_stages(),
        {{"/queues/lines/capacity", "64 MiB"}}
    );
    const queue_description& lines = checked.description().queues[0];
    BOOST_TEST(lines.capacity == sluice::unbounded);
    BOOST_TEST(lines.memory.count == 64u * 1024u * 1024u);
}

BOOST_AUTO_TEST_CASE(runner_may_put_into_several_queues_each_once)
{
    check_all({
        {"\"to\": \"words\"",
         "\"to\": [\"words\", \"words\"]",
         "line 24, /runners/1/to/1: found \"words\" a second time, expected each queue "
         "once\n"},
        {"\"to\": \"words\"",
         "\"to\": [\"words\", \"lines\", \"\"]",
         "line 24, /runners/1/to/1: found \"lines\", expected another queue than "
         "\"from\"\n"
         "line 24, /runners/1/to/2: found \"\", expected the name of a queue in "
         "\"queues\"\n"},
        {"\"to\": \"words\"",
         "\"to\": 7",
         "line 24, /runners/1/to: found 7, expected a string or an array of strings\n"},
        {"\"to\": \"words\"",
         "\"to\": [\"words\", \"jobs\"], \"on_error\": {\"to\": \"jobs\"}",
         "line 24, /runners/1/on_error/to: found \"jobs\", expected another queue than "
         "\"from\" and \"to\" of the runner\n"
         "line 24, /runners/1/on_error: found \"to\", expected \"fail\", because the "
         "stage "
         "\"match\" cannot leave out single elements\n"},
    });
}

BOOST_AUTO_TEST_CASE(order_is_kept_only_where_results_are_made_of_single_elements)
{
    check_all({
        {"\"stage\": \"group\",",
         "\"stage\": \"group\", \"ordered\": true, \"workers\": 2,",
         "line 28, /runners/3/ordered: found true, expected false, because the stage "
         "\"group\" does not make its results of one element after the other; one worker "
         "keeps the order\n"},
        {"\"stage\": \"group\",",
         "\"stage\": \"group\", \"ordered\": 1,",
         "line 28, /runners/3/ordered: found 1, expected true or false\n"},
    });
}

BOOST_AUTO_TEST_CASE(error_policy_is_a_word_or_an_object)
{
    const auto policy_of = [](const std::string& written) {
        const auto checked = sluice::pipeline::read_description(
            R"({"queues": {"a": {}, "b": {}, "e": {}}, "runners": [
                {"stage": "read_lines", "options": {"files": "x"}, "to": "a"},
                {"stage": "match", "options": {"pattern": "x"}, "from": "a", "to": "b",
                 "on_error": )" +
                written + R"(}, {"stage": "print", "from": "b"},
                {"stage": "read_lines", "options": {"files": "x"}, "to": "e"}, {"stage": "print", "from": "e"}]})",
            example_stages()
        );
        return checked.description().runners[1].on_error;
    };
    BOOST_TEST((policy_of("\"fail\"") == error_policy()));
    for (const char* wrong :
         {"\"Skip\"",
          "{}",
          "{\"to\": \"\"}",
          "{\"to\": 1}",
          "true",
          R"({"to": "e", "x": 1})"}) {
        std::string message;
        try {
            (void)policy_of(wrong);
        } catch (const description_error& error) {
            message = to_string(error.problems().front());
        }
        BOOST_TEST((message.find("/runners/1/on_error: found ") != message.npos), wrong);
        BOOST_TEST((message.find("\"fail\", \"skip\" or") != message.npos), message);
    }
}

BOOST_AUTO_TEST_CASE(names_that_occur_twice_are_mistakes)
{
    check_all({
        {"\"name\": \"split\"",
         "\"name\": \"read\"",
         "line 20, /runners/1/name: found the name \"read\" a second time, expected "
         "runners "
         "of different names; give one of them another \"name\"\n"},
        {"\"words\": {",
         "\"lines\": {",
         "line 8, /queues/lines: found \"lines\" a second time, expected each name once "
         "in an "
         "object; remove one of the two\n"
         "line 24, /runners/1/to: found \"words\", expected the name of a queue in "
         "\"queues\"\n"
         "line 27, /runners/2/from: found \"words\", expected the name of a queue in "
         "\"queues\"\n"},
        {"\"stage\": \"print\"",
         "\"stage\": \"print\", \"stage\": \"sum\"",
         "line 29, /runners/4/stage: found \"stage\" a second time, expected each name "
         "once "
         "in an object; remove one of the two\n"},
    });
}

BOOST_AUTO_TEST_CASE(name_that_occurs_three_times_leaves_the_lines_of_other_mistakes)
{
    BOOST_TEST(
        mistakes_of("{\"name\": \"a\",\n\"name\": \"b\",\n\"name\": 3,\n\"runners\": "
                    "[],\n\"x\": 1}") ==
        "line 2, /name: found \"name\" a second time, expected each name once in an "
        "object; "
        "remove one of the two\n"
        "line 3, /name: found \"name\" a second time, expected each name once in an "
        "object; "
        "remove one of the two\n"
        "line 4, /runners: found an empty array, expected an array of runners\n"
        "line 5, /x: found \"x\", expected name, description, threads, coordinator, "
        "queues, "
        "runners or $schema\n"
    );
}

BOOST_AUTO_TEST_CASE(missing_names_are_told)
{
    check_all({
        {"\"stage\": \"read_lines\",",
         "",
         "line 13, /runners/0: found no \"stage\", expected \"stage\" (the name of a "
         "stage)\n"},
        {"\"files\": [\"a.txt\", \"b.txt\"], ",
         "",
         "line 16, /runners/0/options: found no \"files\", expected \"files\" (what to "
         "read)\n"},
        {"\"options\": { \"files\": [\"a.txt\", \"b.txt\"], \"order\": \"random\", "
         "\"pause\": \"10ms\" },",
         "",
         "line 13, /runners/0: found no \"files\", expected \"files\" (what to read)\n"},
        {"\"runners\"",
         "\"runer\"",
         "line 1: found no \"runners\", expected \"runners\" (an array of runners)\n"
         "line 12, /runer: found \"runer\", expected name, description, threads, "
         "coordinator, queues, runners or $schema; did you mean \"runners\"?\n"},
    });
}

// Types and values

BOOST_AUTO_TEST_CASE(wrong_types_are_told)
{
    check_all({
        {"\"word_count\"", "1", "line 2, /name: found 1, expected a string\n"},
        {"\"threads\": 2",
         "\"threads\": \"2\"",
         "line 4, /threads: found \"2\", expected a whole number from 0 to 1024\n"},
        {"{ \"stop_grace_period\": \"1.5s\" }",
         "5",
         "line 5, /coordinator: found 5, expected an object\n"},
        {"\"1.5s\"",
         "1.5",
         "line 5, /coordinator/stop_grace_period: found 1.5, expected a duration such as "
         "\"250ms\", \"1.5s\" or \"2m\", of at most six digits before the point\n"},
        {"{ \"type\": \"padding\", \"capacity\": 8, \"overflow\": \"drop_oldest\" }",
         "[]",
         "line 10, /queues/rows: found an array, expected an object\n"},
        {"\"shuffle\"",
         "null",
         "line 8, /queues/words/type: found null, expected fifo, shuffle, priority, "
         "padding or redis\n"},
        {"\"from\": \"lines\"",
         "\"from\": [\"lines\"]",
         "line 23, /runners/1/from: found an array, expected a string\n"},
        {"[\"a.txt\", \"b.txt\"]",
         "[\"a.txt\", 3]",
         "line 16, /runners/0/options/files: found an array, expected a string or an "
         "array "
         "of strings\n"},
        {"{ \"stage\": \"print\", \"from\": \"rows\" }",
         "17",
         "line 29, /runners/4: found 17, expected an object\n"},
    });
}

BOOST_AUTO_TEST_CASE(values_outside_the_limits_are_told)
{
    check_all({
        {"\"threads\": 2",
         "\"threads\": 1025",
         "line 4, /threads: found 1025, expected a whole number from 0 to 1024\n"},
        {"\"threads\": 2",
         "\"threads\": 1.5",
         "line 4, /threads: found 1.5, expected a whole number from 0 to 1024\n"},
        {"\"workers\": 4",
         "\"workers\": 0",
         "line 25, /runners/1/workers: found 0, expected a whole number from 1 to 1024\n"
        },
        {"\"workers\": 4",
         "\"workers\": 18446744073709551615",
         "line 25, /runners/1/workers: found 18446744073709551615, expected a whole "
         "number from 1 to 1024\n"},
        {"\"workers\": 4",
         "\"workers\": 1e300",
         "line 25, /runners/1/workers: found 1e+300, expected a whole number from 1 to "
         "1024\n"},
        {"\"capacity\": 64",
         "\"capacity\": -1",
         "line 7, /queues/lines/capacity: found -1, expected a whole number from 0 to "
         "2147483648, or "
         "a size such as \"64 MiB\"\n"},
        {"\"capacity\": 8",
         "\"capacity\": 0",
         "line 10, /queues/rows/capacity: found 0, expected a whole number from 1 to "
         "2147483648, or "
         "a size such as \"64 MiB\"\n"},
        {"\"capacity\": 64",
         "\"capacity\": \"64 MB \"",
         "line 7, /queues/lines/capacity: found \"64 MB \", expected a whole number from "
         "0 to "
         "2147483648, or a size such as \"64 MiB\"; the units are B, kB, MB, GB, KiB, "
         "MiB "
         "and GiB\n"},
        {"\"capacity\": 64",
         "\"capacity\": \"64\"",
         "line 7, /queues/lines/capacity: found \"64\", expected a whole number from 0 "
         "to "
         "2147483648, or a size such as \"64 MiB\"; elements are counted by a number "
         "without "
         "quotes; bytes need a unit\n"},
        {"\"capacity\": 64",
         "\"capacity\": \"64 MiB\", \"memory\": \"1 GiB\"",
         "line 7, /queues/lines/memory: found \"1 GiB\", expected no \"memory\" beside a "
         "\"capacity\" in bytes\n"},
        {"\"min_after_dequeue\": 512",
         "\"min_after_dequeue\": 4096",
         "line 8, /queues/words/min_after_dequeue: found 4096, expected less than the "
         "capacity, 4096\n"},
        {"\"seed\": 7",
         "\"seed\": -7",
         "line 8, /queues/words/seed: found -7, expected a whole number of at least 0\n"},
        {"\"by\": \"/size\"",
         "\"by\": \"size\"",
         "line 9, /queues/jobs/by: found \"size\", expected a JSON pointer such as "
         "\"/size\", or \"\"\n"},
        {"\"share\": 0.5",
         "\"share\": 1.5",
         "line 22, /runners/1/options/share: found 1.5, expected a number from 0 to 1\n"},
        {"\"random\"",
         "\"radom\"",
         "line 16, /runners/0/options/order: found \"radom\", expected file or random; "
         "did "
         "you mean \"random\"?\n"},
        {"\"[a-z]+\"",
         "\"(\"",
         "line 22, /runners/1/options/pattern: found \"(\", expected a regular "
         "expression\n"},
        {"\"10ms\"",
         "\"10 ms\"",
         "line 16, /runners/0/options/pause: found \"10 ms\", expected a duration such "
         "as "
         "\"250ms\", \"1.5s\" or \"2m\", of at most six digits before the point\n"},
    });
}

BOOST_AUTO_TEST_CASE(overflow_that_a_queue_cannot_have_is_told)
{
    check_all({
        {"\"capacity\": 64",
         "\"overflow\": \"drop_oldst\"",
         "line 7, /queues/lines/overflow: found \"drop_oldst\", expected wait, "
         "drop_oldest or drop_newest; did you mean \"drop_oldest\"?\n"},
        {"\"capacity\": 64",
         "\"overflow\": true",
         "line 7, /queues/lines/overflow: found true, expected wait, drop_oldest or "
         "drop_newest\n"},
        {"\"min_after_dequeue\": 512",
         "\"overflow\": \"drop_oldest\"",
         "line 8, /queues/words/overflow: found \"drop_oldest\", expected wait or "
         "drop_newest; queues of type \"fifo\" and \"padding\" can drop the oldest "
         "element\n"},
        {"\"capacity\": 64",
         "\"capacity\": 0, \"overflow\": \"drop_newest\"",
         "line 7, /queues/lines/overflow: found \"drop_newest\", expected wait, because "
         "a queue of capacity 0 stores nothing; give it a capacity of at least 1\n"},
        {"\"min_after_dequeue\": 512", "\"overflow\": \"drop_newest\"", ""},
        {"\"capacity\": 64", "\"capacity\": \"1 MiB\", \"overflow\": \"drop_oldest\"", ""
        },
    });
}

BOOST_AUTO_TEST_CASE(a_queue_may_have_no_capacity_only_if_it_is_fifo)
{
    BOOST_TEST(mistakes_of(example_with("\"capacity\": 64", "\"capacity\": 0")) == "");
    BOOST_TEST(mistakes_of(example_with("\"capacity\": 4096", "\"capacity\": 0")) != "");
}

BOOST_AUTO_TEST_CASE(name_of_a_queue_is_neither_empty_nor_long)
{
    const auto mistakes_of_name = [](const std::string& name) {
        return mistakes_of(
            R"({"queues": {")" + name +
            R"(": {}}, "runners": [{"stage": "numbers", "to": ")" + name +
            R"("}, {"stage": "sum", "from": ")" + name + R"("}]})"
        );
    };
    const std::string longest(100, 'x');
    BOOST_TEST(mistakes_of_name(longest) == "");
    BOOST_TEST(mistakes_of_name("").starts_with(
        "line 1, /queues/: found the name \"\", expected a name of 1 to 100 characters\n"
    ));
    BOOST_TEST(
        mistakes_of_name(longest + "y").find("1 to 100 characters") != std::string::npos
    );
}

// Runners and queues together

BOOST_AUTO_TEST_CASE(a_runner_with_one_queue_at_both_ends_is_a_mistake)
{
    check_all({
        {"\"from\": \"lines\"",
         "\"from\": \"words\"",
         "line 24, /runners/1/to: found \"words\", expected another queue than \"from\"\n"
        },
    });
}

BOOST_AUTO_TEST_CASE(a_description_that_is_no_object_is_one_mistake)
{
    BOOST_TEST(mistakes_of("[5]") == "line 1: found an array, expected an object\n");
}

BOOST_AUTO_TEST_CASE(a_description_without_runners_is_a_mistake)
{
    BOOST_TEST(
        mistakes_of(R"({"runners": []})") ==
        "line 1, /runners: found an empty array, expected an array of runners\n"
    );
    BOOST_TEST(
        mistakes_of("{\n\"runners\": {}}") ==
        "line 2, /runners: found an object, expected an array of runners\n"
    );
}

BOOST_AUTO_TEST_CASE(structure_is_checked_when_all_parts_are_right)
{
    check_all({
        {"{ \"stage\": \"print\", \"from\": \"rows\" }",
         "{ \"stage\": \"print\", \"from\": \"lines\" }",
         "line 10, /queues/rows: found a queue that no runner empties, expected a runner "
         "with "
         "\"from\": \"rows\"\n"},
        {"\"stage\": \"print\"",
         "\"stage\": \"sum\"",
         "line 29, /runners/4/from: found \"rows\", where \"group\" puts elements of the "
         "kind "
         "text, expected elements of the kind value, which the stage \"sum\" takes\n"},
    });
}

BOOST_AUTO_TEST_CASE(all_mistakes_are_told_in_the_order_of_their_lines)
{
    BOOST_TEST(
        mistakes_of(R"({
  "runners": [
    { "stage": "read_lin", "options": { "files": 1 }, "to": "line" },
    { "stage": "match", "options": { "share": 2, "patern": "x" }, "from": "lines",
      "workers": "2" }
  ],
  "queues": {
    "lines": { "type": "fifi", "capacity": -1 }
  },
  "threads": true
})") == "line 3, /runners/0/stage: found \"read_lin\", expected archive, group, match, "
        "numbers, parse, pass, print, read_lines, sum or ungroup; did you mean "
        "\"read_lines\"?\n"
        "line 3, /runners/0/to: found \"line\", expected the name of a queue in "
        "\"queues\"; "
        "did you mean \"lines\"?\n"
        "line 4, /runners/1/options/patern: found \"patern\", expected pattern, share, "
        "invert or extra; did you mean \"pattern\"?\n"
        "line 4, /runners/1/options: found no \"pattern\", expected \"pattern\" (which "
        "lines)\n"
        "line 4, /runners/1/options/share: found 2, expected a number from 0 to 1\n"
        "line 5, /runners/1/workers: found \"2\", expected a whole number from 1 to "
        "1024\n"
        "line 8, /queues/lines/type: found \"fifi\", expected fifo, shuffle, "
        "priority, padding or redis; did you mean \"fifo\"?\n"
        "line 8, /queues/lines/capacity: found -1, expected a whole number from 0 to "
        "2147483648, or "
        "a size such as \"64 MiB\"\n"
        "line 10, /threads: found true, expected a whole number from 0 to 1024\n"
    );
}

// Overrides

BOOST_AUTO_TEST_CASE(overrides_replace_values_before_they_are_read)
{
    const auto checked = sluice::pipeline::read_description(
        example_description,
        example_stages(),
        {{"/runners/1/workers", "8"},
         {"/coordinator/stop_grace_period", "3s"},
         {"/runners/1/options/pattern", "\"4\""}}
    );
    const pipeline_description& pipeline = checked.description();
    BOOST_TEST(pipeline.runners[1].workers == 8u);
    BOOST_TEST((pipeline.stop_grace_period == std::chrono::seconds(3)));
    BOOST_TEST(pipeline.runners[1].options["pattern"] == "4");
}

BOOST_AUTO_TEST_CASE(mistakes_of_overrides_have_no_line)
{
    BOOST_TEST(
        mistakes_of(example_description, {{"/runners/1/workers", "many"}}) ==
        "/runners/1/workers: found \"many\", expected a whole number from 1 to 1024\n"
    );
    BOOST_TEST(problems_of(example_description, {{"/threads", "-1"}}).at(0).line == 0u);
}

BOOST_AUTO_TEST_CASE(a_huge_number_of_mistakes_is_cut)
{
    std::string text = "{";
    for (int i = 0; i < 5000; ++i)
        text += "\"x" + std::to_string(i) + "\": 0,";
    text.back() = '}';
    BOOST_TEST(problems_of(text).size() == 1000u);
}

// Addresses of servers

BOOST_AUTO_TEST_CASE(address_is_judged_with_all_else_and_has_its_line)
{
    const std::string text = R"({
        "queues": {
            "a": {"type": "redis", "url": "redis://right"},
            "b": {"type": "redis",
                  "url": "redis://wrong"}
        },
        "runners": [{"stage": "read_lines", "options": {"files": "x"}, "to": ["a", "b"], "workers": 0}]
    })";
    const auto judge = [](const std::string& url) -> std::optional<problem> {
        if (url == "redis://right")
            return std::nullopt;
        return problem{.found = "'" + url + "'", .expected = "another", .hint = "it is"};
    };
    std::string lines;
    try {
        (void)sluice::pipeline::read_description(text, example_stages(), {}, {}, judge);
    } catch (const description_error& error) {
        for (const problem& mistake : error.problems())
            lines += to_string(mistake).substr(0, 30) + "\n";
    }
    BOOST_TEST(
        lines == "line 5, /queues/b/url: found '\n"
                 "line 7, /runners/0/workers: fo\n"
    );
}

BOOST_AUTO_TEST_CASE(each_queue_on_a_server_has_a_name_of_its_own_without_braces)
{
    const std::string mistakes = mistakes_of(R"({"name": "p", "queues": {
        "a": {"type": "redis", "url": "redis://h", "key": "k"},
        "b": {"type": "redis", "url": "redis://h", "key": "k"},
        "c": {"type": "redis", "url": "redis://other", "key": "k"},
        "d": {"type": "redis", "url": "redis://h", "key": "p.e"},
        "e": {"type": "redis", "url": "redis://h"},
        "f{1}": {"type": "redis", "url": "redis://h"}}, "runners": []})");
    const auto holds = [&](const char* part) {
        return mistakes.find(part) != std::string::npos;
    };
    BOOST_TEST(
        holds(
            R"(/queues/b/key: found "k", expected another one, because the queue "a" has)"
        ),
        mistakes
    );
    BOOST_TEST(holds(R"(/queues/e: found "p.e", expected another one)"), mistakes);
    BOOST_TEST(holds(R"(/queues/f{1}: found "p.f{1}", expected a "key")"), mistakes);
    BOOST_TEST(!holds("/queues/c"), mistakes);
}

BOOST_AUTO_TEST_CASE(key_of_a_queue_on_a_server_that_is_empty_is_a_mistake)
{
    const std::string mistakes = mistakes_of(
        R"({"queues": {"a": {"type": "redis", "url": "redis://h", "key": ""}}, "runners": []})"
    );
    BOOST_TEST(
        mistakes.find(R"(/queues/a/key: found "", expected a name; without "key" it is)"
        ) != std::string::npos,
        mistakes
    );
}

BOOST_AUTO_TEST_CASE(address_that_begins_wrong_is_shown_without_a_password)
{
    const std::string mistakes = mistakes_of(
        R"({"queues": {"a": {"type": "redis", "url": "http://u:hunter2@h"}}, "runners": []})"
    );
    BOOST_TEST(
        mistakes.find(R"(/queues/a/url: found "...@h", expected an address)") !=
            std::string::npos,
        mistakes
    );
}

BOOST_AUTO_TEST_SUITE_END()
