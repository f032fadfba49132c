// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/document.hpp"

#include <boost/test/unit_test.hpp>

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace document {

using namespace sluice::pipeline;
detail::document parsed(std::string_view text)
{
    std::vector<problem> problems;
    auto read = detail::parse_document(text, problems);
    BOOST_TEST_REQUIRE(problems.empty());
    BOOST_TEST_REQUIRE(read.has_value());
    return *read;
}

// The mistakes in a text, a line each.
std::string mistakes_in(std::string_view text)
{
    std::vector<problem> problems;
    (void)detail::parse_document(text, problems);
    std::string lines;
    for (const problem& mistake : problems)
        lines += to_string(mistake) + '\n';
    return lines;
}

std::string place_of(const detail::document& read, std::string_view pointer)
{
    problem mistake{.pointer = std::string(pointer)};
    read.locate(mistake);
    return std::to_string(mistake.line) + " " + mistake.pointer;
}

struct broken_text
{
    std::string_view text;
    const char* mistake;
};

void check_all(std::initializer_list<broken_text> texts)
{
    for (const broken_text& each : texts)
        BOOST_TEST_CONTEXT(each.text)
    BOOST_TEST(mistakes_in(each.text) == each.mistake + std::string("\n"));
}

const char* const original = "{\"a\": {\"b\": 1},\n\"c\": [1, 2]}";

// The document as JSON after changes; mistakes fail the test.
std::string changed(const std::vector<description_override>& changes)
{
    std::vector<problem> problems;
    auto read = detail::parse_document(original, problems).value();
    for (const description_override& change : changes)
        read.set(change, problems);
    BOOST_TEST(problems.empty());
    return read.values.dump();
}

std::string mistake_of(const description_override& change)
{
    std::vector<problem> problems;
    auto read = detail::parse_document(original, problems).value();
    read.set(change, problems);
    BOOST_TEST_REQUIRE(problems.size() == 1u);
    BOOST_TEST(problems[0].line == 0u);
    BOOST_TEST(read.values.dump() == R"({"a":{"b":1},"c":[1,2]})");
    return to_string(problems[0]);
}

// A text with INPUT and EMPTY replaced.
std::string replaced(std::string_view text, std::vector<problem>& problems)
{
    auto read = detail::parse_document(text, problems).value();
    const auto values = [](const std::string& name) -> std::optional<std::string> {
        if (name == "INPUT")
            return "a \"${INPUT}\"";
        return name == "EMPTY" ? std::optional<std::string>("") : std::nullopt;
    };
    read.replace_parameters(values, problems);
    for (problem& mistake : problems)
        read.locate(mistake);
    return read.values.dump();
}

// The same without mistakes.
std::string replaced(std::string_view text)
{
    std::vector<problem> problems;
    const std::string result = replaced(text, problems);
    BOOST_TEST(problems.empty());
    return result;
}

}  // namespace document

BOOST_AUTO_TEST_SUITE(document)

BOOST_AUTO_TEST_CASE(values_are_those_of_the_text)
{
    const std::string_view text =
        R"({"a": [1, -2, 2.5, true, null, "x\u00e4\n"], "b": {"c": {}, "d": []}})";
    BOOST_TEST((parsed(text).values == nlohmann::json::parse(text)));
    BOOST_TEST((parsed(" 17 ").values == nlohmann::json(17)));
}

BOOST_AUTO_TEST_CASE(names_have_the_order_of_the_text)
{
    using names = std::vector<std::string>;
    const detail::document read = parsed(R"({"x": {"z": 1, "a": 2, "m": 3}, "y": 1})");
    BOOST_TEST((read.names_in("x") == names{"z", "a", "m"}));
    BOOST_TEST(read.names_in("y").empty());
    BOOST_TEST(read.names_in("missing").empty());
}

BOOST_AUTO_TEST_CASE(every_value_knows_its_line)
{
    const detail::document root = parsed(
        "{\n\"a\": 1,\n\"b\":\n[\n2\n,\n3\n],\"c\": {}\r\n}"
    );
    BOOST_TEST(place_of(root, "") == "1 ");
    BOOST_TEST(place_of(root, "/a") == "2 /a");
    BOOST_TEST(place_of(root, "/b") == "4 /b");
    BOOST_TEST(place_of(root, "/b/0") == "5 /b/0");
    BOOST_TEST(place_of(root, "/b/1") == "7 /b/1");
    BOOST_TEST(place_of(root, "/c") == "8 /c");
}

BOOST_AUTO_TEST_CASE(pointer_to_what_is_missing_leads_to_what_is_there)
{
    const detail::document root = parsed("{\"a\":\n[{\"b/c\": {\"~\": 1}}]}");
    BOOST_TEST(place_of(root, "/a/0/b~1c/~0") == "2 /a/0/b~1c/~0");
    BOOST_TEST(place_of(root, "/a/1") == "2 /a");
    BOOST_TEST(place_of(root, "/a/x") == "2 /a");
    BOOST_TEST(place_of(root, "/x/y") == "1 ");
    BOOST_TEST(place_of(root, "a") == "1 ");
}

BOOST_AUTO_TEST_CASE(pointer_steps_are_unescaped)
{
    using steps = std::vector<std::string>;
    BOOST_TEST((detail::pointer_steps("") == steps{}));
    BOOST_TEST((detail::pointer_steps("/a/b") == steps{"a", "b"}));
    BOOST_TEST((detail::pointer_steps("/~01/~10/") == steps{"~1", "/0", ""}));
    BOOST_TEST(!detail::pointer_steps("a"));
    BOOST_TEST(!detail::pointer_steps("/a~"));
    BOOST_TEST(!detail::pointer_steps("/a~2"));
}

// Mistakes

BOOST_AUTO_TEST_CASE(syntax_errors_tell_their_place_and_what_the_parser_says)
{
    check_all({
        {"",
         "line 1: found the end of the text, expected JSON; syntax error while parsing "
         "value - unexpected end of input; expected '[', '{', or a literal"},
        {"{\"a\": 1\n \"b\": 2}",
         "line 2, /a: found \"\\\"b\\\"\" in column 4, expected JSON; syntax error while "
         "parsing object - unexpected string literal; expected '}'"},
        {"{\"a\" 1}",
         "line 1, /a: found \"1\" in column 6, expected JSON; syntax error while parsing "
         "object separator - unexpected number literal; expected ':'"},
        {"{\"a\": [1, 2}",
         "line 1, /a/1: found \"2}\" in column 12, expected JSON; syntax error while "
         "parsing array - unexpected '}'; expected ']'"},
        {"{a: 1}",
         "line 1: found \"{a\" in column 2, expected JSON; syntax error while parsing "
         "object key - invalid literal; expected string literal"},
        {"{\"a\": 1,\n}",
         "line 2, /a: found \"1,<U+000A>}\" in column 1, expected JSON; syntax error "
         "while parsing object key - unexpected '}'; expected string literal"},
        {"[\"a\n\"]",
         "line 1: found \"\\\"a<U+000A>\" in column 4, expected JSON; syntax error while "
         "parsing value - invalid string: control character U+000A (LF) must be escaped "
         "to \\u000A or \\n"},
        {"[\"a",
         "line 1: found the end of the text, expected JSON; syntax error while parsing "
         "value - invalid string: missing closing quote"},
        {"[1.]",
         "line 1: found \"1.]\" in column 4, expected JSON; syntax error while parsing "
         "value - invalid number; expected digit after '.'"},
        {"[1e999]",
         "line 1: found \"1e999\" in column 6, expected a number of at most 1.797e308"},
        {"[\"\xc3\xa4\", \"\xff\"]",
         "line 1, /0: found \"\\\"\\xff\" in column 8, expected JSON; syntax "
         "error "
         "while parsing value - invalid string: ill-formed UTF-8 byte"},
        {std::string_view("{}\0", 3), "line 1: found a byte 0 in column 3, expected JSON"
        },
    });
}

BOOST_AUTO_TEST_CASE(a_long_wrong_token_is_cut)
{
    BOOST_TEST(mistakes_in('"' + std::string(1'000'000, 'x')).size() < 300u);
    BOOST_TEST(mistakes_in(std::string(1'000'000, '9')).size() < 300u);
}

BOOST_AUTO_TEST_CASE(names_that_occur_twice_are_told_and_the_last_one_counts)
{
    std::vector<problem> problems;
    const auto read = detail::parse_document(
        "{\"a\": {\"b\": {\"x\": 1},\n\"b\": {\"x\": 2}}, \"c\": {\"b\": 3}}",
        problems
    );
    BOOST_TEST_REQUIRE(problems.size() == 1u);
    BOOST_TEST(problems[0].line == 2u);
    BOOST_TEST(problems[0].pointer == "/a/b");
    BOOST_TEST_REQUIRE(read.has_value());
    BOOST_TEST(read->values["a"]["b"]["x"] == 2);
    BOOST_TEST(place_of(*read, "/a/b/x") == "2 /a/b/x");
}

BOOST_AUTO_TEST_CASE(nesting_is_limited)
{
    const std::size_t limit = detail::deepest_nesting;
    BOOST_TEST(mistakes_in(std::string(limit, '[') + std::string(limit, ']')) == "");
    const std::string deeper = mistakes_in(std::string(1'000'000, '['));
    BOOST_TEST(
        deeper.find(
            "found an array or object inside of 100 others, expected at most 100 levels"
        ) != std::string::npos
    );
}

// Overrides

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
        auto read = detail::parse_document(
                        R"({"runners": [{"stage": "a"}, {"stage": "b", "name": "a"},
                                        {"stage": "c"}, {"stage": "c"}]})",
                        problems
        )
                        .value();
        read.set({pointer, "7"}, problems);
        return problems.empty() ? read.values["runners"].dump() : "a mistake";
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
    auto read = detail::parse_document(original, problems).value();
    read.set({"/c/1", "{\"x\": [7]}"}, problems);
    read.set({"/n/m", "1"}, problems);
    const auto line_of = [&read](const char* pointer) {
        problem mistake{.line = 99, .pointer = pointer};
        read.locate(mistake);
        return mistake.line;
    };
    BOOST_TEST(line_of("/c") == 2u);
    BOOST_TEST(line_of("/c/0") == 2u);
    for (const char* const pointer : {"/c/1", "/c/1/x", "/c/1/x/0", "/n", "/n/m"})
        BOOST_TEST(line_of(pointer) == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_set_keeps_its_place_and_has_the_order_of_its_text)
{
    using names = std::vector<std::string>;
    std::vector<problem> problems;
    auto read = parsed(R"({"x": {"z": 1, "a": 2}})");
    read.set({"/x/z", "3"}, problems);
    read.set({"/x/b", "4"}, problems);
    BOOST_TEST((read.names_in("x") == names{"z", "a", "b"}));
    read.set({"/x", R"({"n": 1, "m": 2})"}, problems);
    BOOST_TEST((read.names_in("x") == names{"n", "m"}));
    BOOST_TEST(problems.empty());
}

BOOST_AUTO_TEST_CASE(unknown_runner_gets_the_nearest_name_or_all)
{
    std::vector<problem> problems;
    auto read = parsed(
        R"({"runners": [{"stage": "filter", "name": "split"}, {"stage": "count"}]})"
    );
    read.set({"/runners/splt/workers", "2"}, problems);
    read.set({"/runners/cuont/workers", "2"}, problems);
    read.set({"/runners/nosuch/workers", "2"}, problems);
    BOOST_TEST_REQUIRE(problems.size() == 3u);
    BOOST_TEST(problems[0].hint == "did you mean \"split\"?");
    BOOST_TEST(problems[1].hint == "did you mean \"count\"?");
    BOOST_TEST(problems[2].hint == "known names: count, filter, split");
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

// Parameters

BOOST_AUTO_TEST_CASE(strings_get_the_values_as_they_are)
{
    BOOST_TEST(
        replaced(R"({"a": ["x${EMPTY}y", {"b": "${INPUT}"}], "${INPUT}": 1})") ==
        R"({"${INPUT}":1,"a":["xy",{"b":"a \"${INPUT}\""}]})"
    );
}

BOOST_AUTO_TEST_CASE(other_dollars_stay)
{
    const std::string text = R"(["$1 ${1} $INPUT ${} ${x:-y} $$ ${a b}"])";
    BOOST_TEST(replaced(text) == text);
}

BOOST_AUTO_TEST_CASE(two_dollars_make_a_text_of_a_parameter)
{
    BOOST_TEST(replaced(R"(["$${INPUT} $${other}"])") == R"(["${INPUT} ${other}"])");
}

BOOST_AUTO_TEST_CASE(parameter_without_a_value_is_a_problem_with_its_place)
{
    std::vector<problem> problems;
    (void)replaced("{\"a\": [1,\n\"${OUTPUT}\"]}", problems);
    BOOST_TEST_REQUIRE(problems.size() == 1u);
    BOOST_TEST(
        to_string(problems.front()) ==
        "line 2, /a/1: found ${OUTPUT}, which has no value, expected a parameter or a "
        "variable of the environment of that name; write $${OUTPUT} if this is no "
        "parameter"
    );
}

BOOST_AUTO_TEST_CASE(name_of_a_parameter_is_that_of_a_variable)
{
    for (const char* const right : {"a", "A1", "_", "a_b"})
        BOOST_TEST(detail::is_parameter_name(right), right);
    for (const char* const wrong : {"", "1a", "a-b", "\xc3\xa4", "a b"})
        BOOST_TEST(!detail::is_parameter_name(wrong), wrong);
}

BOOST_AUTO_TEST_SUITE_END()
