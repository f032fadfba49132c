// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/document.hpp"
#include <sluice/pipeline/read_description.hpp>

#include <boost/test/unit_test.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace override_document {

using namespace sluice::pipeline;

const char* const original = "{\"a\": {\"b\": 1},\n\"c\": [1, 2]}";

// The document as JSON after changes; mistakes fail the test.
std::string changed(const std::vector<description_override>& changes)
{
    std::vector<problem> problems;
    auto root = detail::parse_document(original, problems).value();
    for (const description_override& change : changes)
        detail::override_document(root, change.pointer, change.value, problems);
    BOOST_TEST(problems.empty());
    return root.to_json().dump();
}

std::string mistake_of(const description_override& change)
{
    std::vector<problem> problems;
    auto root = detail::parse_document(original, problems).value();
    detail::override_document(root, change.pointer, change.value, problems);
    BOOST_TEST_REQUIRE(problems.size() == 1u);
    BOOST_TEST(problems[0].line == 0u);
    BOOST_TEST(root.to_json().dump() == R"({"a":{"b":1},"c":[1,2]})");
    return to_string(problems[0]);
}

}  // namespace override_document

BOOST_AUTO_TEST_SUITE(override_document)

BOOST_AUTO_TEST_CASE(values_are_replaced)
{
    BOOST_TEST(changed({{"/a/b", "2"}}) == R"({"a":{"b":2},"c":[1,2]})");
    BOOST_TEST(changed({{"/a", "[]"}}) == R"({"a":[],"c":[1,2]})");
    BOOST_TEST(changed({{"/c/1", "null"}}) == R"({"a":{"b":1},"c":[1,null]})");
    BOOST_TEST(changed({{"/c/1", "3"}, {"/c/1", "4"}}) == R"({"a":{"b":1},"c":[1,4]})");
}

BOOST_AUTO_TEST_CASE(values_are_added)
{
    BOOST_TEST(changed({{"/a/x", "2"}}) == R"({"a":{"b":1,"x":2},"c":[1,2]})");
    BOOST_TEST(changed({{"/c/-", "3"}}) == R"({"a":{"b":1},"c":[1,2,3]})");
    BOOST_TEST(changed({{"/c/2", "3"}}) == R"({"a":{"b":1},"c":[1,2,3]})");
    BOOST_TEST(
        changed({{"/x/y/z", "1"}}) == R"({"a":{"b":1},"c":[1,2],"x":{"y":{"z":1}}})"
    );
}

BOOST_AUTO_TEST_CASE(runners_are_found_by_their_names_or_stages)
{
    const auto changed_runners = [](const char* pointer) {
        std::vector<problem> problems;
        auto root = detail::parse_document(
                        R"({"runners": [{"stage": "a"}, {"stage": "b", "name": "a"},
                                        {"stage": "c"}, {"stage": "c"}]})",
                        problems
        )
                        .value();
        detail::override_document(root, pointer, "7", problems);
        return problems.empty() ? root.find("runners")->to_json().dump() : "a mistake";
    };
    BOOST_TEST(
        changed_runners("/runners/a/workers") ==
        R"([{"stage":"a"},{"name":"a","stage":"b","workers":7},{"stage":"c"},{"stage":"c"}])"
    );
    BOOST_TEST(
        changed_runners("/runners/b/workers") ==
        R"([{"stage":"a"},{"name":"a","stage":"b","workers":7},{"stage":"c"},{"stage":"c"}])"
    );
    BOOST_TEST(changed_runners("/runners/c/workers") == "a mistake");  // which of the two
}

BOOST_AUTO_TEST_CASE(what_is_no_json_is_a_string)
{
    BOOST_TEST(changed({{"/a", "5s"}}) == R"({"a":"5s","c":[1,2]})");
    BOOST_TEST(changed({{"/a", ""}}) == R"({"a":"","c":[1,2]})");
    BOOST_TEST(changed({{"/a", "\"4\""}}) == R"({"a":"4","c":[1,2]})");
    BOOST_TEST(
        changed({{"/a", "{\"x\": 1, \"x\": 2}"}}).find("\\\"x\\\": 2") !=
        std::string::npos
    );
}

BOOST_AUTO_TEST_CASE(what_is_new_has_no_line)
{
    std::vector<problem> problems;
    auto root = detail::parse_document(original, problems).value();
    detail::override_document(root, "/c/1", "{\"x\": [7]}", problems);
    detail::override_document(root, "/n/m", "1", problems);
    const auto line_of = [&root](const char* pointer) {
        problem mistake{.line = 99, .pointer = pointer};
        detail::locate(root, mistake);
        return mistake.line;
    };
    BOOST_TEST(line_of("/c") == 2u);
    BOOST_TEST(line_of("/c/0") == 2u);
    for (const char* const pointer : {"/c/1", "/c/1/x", "/c/1/x/0", "/n", "/n/m"})
        BOOST_TEST(line_of(pointer) == 0u);
}

BOOST_AUTO_TEST_CASE(pointers_that_lead_nowhere_are_mistakes)
{
    BOOST_TEST(
        mistake_of({"a", "1"}) ==
        "a: found \"a\" to be set, expected a JSON pointer such as \"/runners/0/workers\""
    );
    BOOST_TEST(
        mistake_of({"", "1"}) ==
        "the document: found \"\" to be set, expected a JSON pointer such as "
        "\"/runners/0/workers\""
    );
    BOOST_TEST(
        mistake_of({"/a/b/x", "1"}) == "/a/b/x: found 1, which has no \"x\", expected a "
                                       "pointer to a member, or \"-\" for a "
                                       "new one at the end of an array"
    );
    BOOST_TEST(
        mistake_of({"/c/3", "1"}) ==
        "/c/3: found an array of 2 elements, which has no \"3\", expected a pointer to a "
        "member, or \"-\" for a new one at the end of an array"
    );
    BOOST_TEST(mistake_of({"/c/x", "1"}).find("which has no \"x\"") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
