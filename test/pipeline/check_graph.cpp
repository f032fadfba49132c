// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/check_description.hpp"
#include "pipeline/temporary_folder.hpp"
#include <sluice/pipeline/builtin_stages.hpp>
#include <sluice/pipeline/checked_description.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <string>
#include <utility>

namespace check_graph {

using namespace sluice::pipeline;

// Reads and writes files of a folder of its own.
struct fixture : sluice::test::temporary_folder
{
    fixture() { add_builtin_stages(stages); }

    // read -> write
    [[nodiscard]] sluice::pipeline::checked_description check(
        const std::string& input,
        const std::string& result,
        const std::string& match = "*",
        bool append = false
    ) const
    {
        pipeline_description description;
        description.queues = {{.name = "lines"}};
        description.runners = {
            {.name = "in",
             .stage = "read",
             .options = {{"files", path(input)}, {"match", match}},
             .to = {"lines"}},
            {.name = "out",
             .stage = "write",
             .options = {{"path", path(result)}, {"append", append}},
             .from = "lines"}
        };
        return {std::move(description), stages};
    }

    // Which mistakes there are.
    [[nodiscard]] std::string mistakes_of(
        const std::string& input,
        const std::string& result,
        const std::string& match = "*"
    ) const
    {
        try {
            (void)check(input, result, match);
        } catch (const description_error& error) {
            return error.what();
        }
        return "";
    }

    stage_registry stages;
};

}  // namespace check_graph

BOOST_FIXTURE_TEST_SUITE(check_graph, check_graph::fixture)

BOOST_AUTO_TEST_CASE(result_in_a_folder_that_is_read_is_a_mistake)
{
    write("data/a", "");
    std::filesystem::create_symlink("data", path("link"));
    for (const char* const result :
         {"data/out", "data/deep/out", "link/out", "x/../data/out"})
        BOOST_TEST(
            mistakes_of("data", result) == "/runners/1/options/path: found \"" +
                                               path(result).substr(0, 60) +
                                               (path(result).size() > 60 ? "..." : "") +
                                               "\", expected a file that no other runner "
                                               "writes or finds; the runner \"in\" "
                                               "reads it"
        );
}

BOOST_AUTO_TEST_CASE(result_that_matches_a_pattern_is_a_mistake)
{
    write("data/a.txt", "");
    BOOST_TEST(mistakes_of("data/*.txt", "data/out.txt") != "");
    BOOST_TEST(mistakes_of("data/*.txt", "data/out.csv") == "");
    BOOST_TEST(mistakes_of("data/*.txt", "data/deep/out.txt") == "");
}

BOOST_AUTO_TEST_CASE(result_in_a_folder_that_matches_a_pattern_is_a_mistake)
{
    write("data/deep/a.txt", "");
    BOOST_TEST(mistakes_of("data/*", "data/deep/out") != "");
    BOOST_TEST(mistakes_of("dat[a]", "data/deep/out") != "");
    BOOST_TEST(mistakes_of("data/*", "data/deep/out", "*.txt") == "");
    BOOST_TEST(mistakes_of("data/*", "other/deep/out") == "");
}

BOOST_AUTO_TEST_CASE(result_that_a_pattern_finds_through_a_link_is_a_mistake)
{
    write("data/a.txt", "");
    write("elsewhere/b.txt", "");
    std::filesystem::create_symlink("../elsewhere", path("data/link"));
    BOOST_TEST(mistakes_of("data/*", "elsewhere/out") != "");
    BOOST_TEST(mistakes_of("data/*/*.txt", "elsewhere/out.txt") != "");
    BOOST_TEST(mistakes_of("data/link/*.txt", "elsewhere/out.txt") != "");
    BOOST_TEST(mistakes_of("data/*/*.txt", "elsewhere/out.csv") == "");
    BOOST_TEST(
        mistakes_of("data", "elsewhere/out") == ""
    );  // no link in a folder is followed
}

BOOST_AUTO_TEST_CASE(result_that_no_source_finds_is_no_mistake)
{
    write("data/a.txt", "");
    BOOST_TEST(mistakes_of("data", "out") == "");
    BOOST_TEST(mistakes_of("data", "database") == "");
    BOOST_TEST(mistakes_of("data", "data/out", "*.txt") == "");
}

BOOST_AUTO_TEST_CASE(file_that_is_named_may_be_replaced_by_its_result)
{
    write("data/a", "");
    BOOST_TEST(mistakes_of("data/a", "data/a") == "");
}

BOOST_AUTO_TEST_CASE(two_runners_that_write_one_file_are_a_mistake_but_not_for_a_device)
{
    const auto mistakes = [this](const std::string& first, const std::string& second) {
        pipeline_description description;
        description.queues = {{.name = "a"}, {.name = "b"}};
        for (const std::string queue : {"a", "b"})
            description.runners.push_back(
                {.name = queue, .stage = "range", .options = {{"to", 1}}, .to = {queue}}
            );
        for (const std::string& name : {first, second})
            description.runners.push_back(
                {.name = name == first && description.runners.size() == 2 ? "x" : "y",
                 .stage = "write",
                 .options = {{"path", name}},
                 .from = description.runners.size() == 2 ? "a" : "b"}
            );
        try {
            (void)sluice::pipeline::checked_description(std::move(description), stages);
        } catch (const description_error& error) {
            return error.problems().front().hint;
        }
        return std::string();
    };
    BOOST_TEST(mistakes(path("one"), path("two")) == "");
    BOOST_TEST(mistakes(path("one"), path("./one")) == "the runner \"x\" writes it");
    for (const auto& [first, second] :
         {std::pair("one", "one.partial"), std::pair("one.partial", "one")})
        BOOST_TEST(
            mistakes(path(first), path(second)).ends_with("may write it, too"),
            first
        );
    BOOST_TEST(mistakes("/dev/null", "/dev/null") == "");
    BOOST_TEST(mistakes("/dev/stdout", "/dev/stdout") == "");
}

BOOST_AUTO_TEST_CASE(file_that_is_read_may_be_replaced_but_not_appended_to)
{
    write("log", "");
    BOOST_TEST(mistakes_of("log", "log") == "");
    try {
        (void)check("log", "log", "*", true);
        BOOST_ERROR("it would not end");
    } catch (const description_error& error) {
        BOOST_TEST(std::string(error.what()).ends_with("the runner \"in\" reads it"));
    }
}

BOOST_AUTO_TEST_CASE(use_of_a_file_is_told_in_words)
{
    write("data/a", "");
    const auto checked = check("data", "out");
    BOOST_TEST(checked.use_of_file(path("out")) == "the runner \"out\" writes it");
    BOOST_TEST(checked.use_of_file(path("data/a")) == "the runner \"in\" reads it");
    BOOST_TEST(
        checked.use_of_file(path("out.partial")) == "the runner \"out\" may write it, too"
    );
    BOOST_TEST(checked.use_of_file(path("report")) == "");
    BOOST_TEST(checked.use_of_file("/dev/null") == "");
}

BOOST_AUTO_TEST_SUITE_END()
