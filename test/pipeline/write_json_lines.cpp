// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stage_fixture.hpp"
#include "pipeline/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

namespace sluice::test {

BOOST_FIXTURE_TEST_SUITE(write_json_lines, stage_fixture)

BOOST_AUTO_TEST_CASE(elements_become_json)
{
    temporary_folder folder;
    std::vector<element> input = to_elements({"a \"text\""});
    input.emplace_back(json{{"n", 1}});
    input.emplace_back(element::list{element("x"), element(json(2))});
    (void)result_of("write_json_lines", {{"path", folder.path("out")}}, std::move(input));
    BOOST_TEST(folder.read("out") == "\"a \\\"text\\\"\"\n{\"n\":1}\n[\"x\",2]\n");
}

BOOST_AUTO_TEST_CASE(what_was_written_can_be_read_again)
{
    temporary_folder folder;
    const json options = {{"path", folder.path("out")}, {"gzip", true}};
    (void)result_of("write_json_lines", options, {element(json{{"n", 1}})});
    BOOST_TEST(
        lines_of("json_lines", {{"files", folder.path("out")}}) == (texts{"{\"n\":1}"})
    );
}

BOOST_AUTO_TEST_CASE(bytes_that_json_cannot_hold_are_refused_or_replaced)
{
    const temporary_folder folder;
    json options{{"path", folder.path("out")}};
    const auto error = error_of("write_json_lines", options, to_elements({"caf\xe9"}));
    BOOST_TEST(
        error.starts_with(
            "cannot write to " + folder.path("out") +
            R"(: the text "caf\xe9" is not UTF-8, which JSON has to be; "invalid_utf8")"
        ),
        error
    );
    options["invalid_utf8"] = "replace";
    (void)result_of("write_json_lines", options, to_elements({"caf\xe9"}));
    BOOST_TEST(folder.read("out") == "\"caf\xef\xbf\xbd\"\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
