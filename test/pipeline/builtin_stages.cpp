// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/builtin_stages.hpp>

#include "support/check_error.hpp"
#include "support/message_of.hpp"
#include <sluice/error.hpp>
#include <sluice/pipeline/read_description.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <boost/test/unit_test.hpp>

#include <exception>
#include <map>
#include <string>
#include <vector>

namespace sluice::test {

BOOST_AUTO_TEST_SUITE(builtin_stages)

BOOST_AUTO_TEST_CASE(all_stages_are_registered)
{
    pipeline::stage_registry stages;
    pipeline::add_builtin_stages(stages);
    const std::vector<std::string> expected = {
        "aggregate",
        "batch",
        "command",
        "count",
        "discard",
        "filter",
        "jq",
        "list",
        "map",
        "parse",
        "range",
        "rate_limit",
        "read",
        "split_words",
        "sqlite",
        "unbatch",
        "write"
    };
    BOOST_TEST(stages.names() == expected);
}

BOOST_AUTO_TEST_CASE(stages_and_options_are_explained)
{
    pipeline::stage_registry stages;
    pipeline::add_builtin_stages(stages);
    for (const auto& [name, type] : stages.all()) {
        BOOST_TEST_CONTEXT(name)
        {
            BOOST_TEST(!type.summary.empty());
            BOOST_TEST(!type.summary.ends_with('.'));
            BOOST_TEST((type.details.find('"' + name + '"') != std::string::npos));
            for (const auto& option : type.options)
                BOOST_TEST(!option.summary.empty(), option.name);
        }
    }
}

BOOST_AUTO_TEST_CASE(names_that_are_taken_are_an_error)
{
    pipeline::stage_registry stages;
    pipeline::add_builtin_stages(stages);
    try {
        pipeline::add_builtin_stages(stages);
        BOOST_ERROR("added twice");
    } catch (...) {
        check_error(std::current_exception(), errc::invalid_argument);
    }
}

BOOST_AUTO_TEST_CASE(former_name_of_a_stage_is_a_mistake_that_says_what_to_write)
{
    pipeline::stage_registry stages;
    const auto mistake = [&stages](const std::string& stage) {
        const std::string text = R"({"runners": [{"stage": ")" + stage +
                                 R"(", "options": {"files": "x"}}]})";
        return message_of([&] { (void)pipeline::read_description(text, stages); });
    };
    BOOST_TEST(mistake("csv").find("new name") == std::string::npos);
    pipeline::add_builtin_stages(stages);
    const std::map<std::string, std::string> now{
        {"text_lines", R"("read")"},
        {"csv", R"("read" with "format": "csv")"},
        {"json_lines", R"("read" with "format": "json_lines")"},
        {"write_lines", R"("write")"},
        {"write_csv", R"("write" with "format": "csv")"},
        {"write_json_lines", R"("write" with "format": "json_lines")"},
        {"print", R"("write", and "json_lines" for the format "json")"}
    };
    for (const auto& [name, expected] : now)
        BOOST_TEST(
            mistake(name) == "line 1, /runners/0/stage: found \"" + name +
                                 "\", expected " + expected +
                                 "; this is the new name of \"" + name + "\""
        );
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
