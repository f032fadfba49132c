// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/builtin_stages.hpp>

#include "support/check_error.hpp"
#include <sluice/error.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <boost/test/unit_test.hpp>

#include <exception>
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

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
