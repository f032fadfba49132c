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
using detail::document_node;

document_node parsed(std::string_view text)
{
    std::vector<problem> problems;
    auto document = detail::parse_document(text, problems);
    BOOST_TEST_REQUIRE(problems.empty());
    BOOST_TEST_REQUIRE(document.has_value());
    return *document;
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

std::string place_of(const document_node& root, std::string_view pointer)
{
    problem mistake{.pointer = std::string(pointer)};
    detail::locate(root, mistake);
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

}  // namespace document

BOOST_AUTO_TEST_SUITE(document)

BOOST_AUTO_TEST_CASE(values_are_those_of_the_text)
{
    const std::string_view text =
        R"({"a": [1, -2, 2.5, true, null, "x\u00e4\n"], "b": {"c": {}, "d": []}})";
    BOOST_TEST((parsed(text).to_json() == nlohmann::json::parse(text)));
    BOOST_TEST((parsed(" 17 ").to_json() == nlohmann::json(17)));
}

BOOST_AUTO_TEST_CASE(json_of_depth_one_leaves_out_what_is_inside_of_members)
{
    const auto outline = parsed(R"({"a": [1, 2], "b": {"c": 1}, "d": 4})").to_json(1);
    BOOST_TEST((outline == nlohmann::json::parse(R"({"a": [], "b": {}, "d": 4})")));
}

BOOST_AUTO_TEST_CASE(members_keep_the_order_of_the_text)
{
    const document_node root = parsed(R"({"z": 1, "a": 2, "m": 3})");
    BOOST_TEST_REQUIRE(root.members.size() == 3u);
    BOOST_TEST(root.members[0].name == "z");
    BOOST_TEST(root.members[1].name == "a");
    BOOST_TEST(root.members[2].name == "m");
}

BOOST_AUTO_TEST_CASE(every_value_knows_its_line)
{
    const document_node root = parsed("{\n\"a\": 1,\n\"b\":\n[\n2\n,\n3\n],\"c\": {}\r\n}"
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
    const document_node root = parsed("{\"a\":\n[{\"b/c\": {\"~\": 1}}]}");
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

BOOST_AUTO_TEST_CASE(array_index_is_a_plain_number)
{
    BOOST_TEST(detail::array_index("0").value() == 0u);
    BOOST_TEST(detail::array_index("17").value() == 17u);
    for (const char* const text : {"", "-1", "01", "1x", "x", "99999999999999999999"})
        BOOST_TEST(!detail::array_index(text));
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

BOOST_AUTO_TEST_CASE(names_that_occur_twice_are_told_and_kept)
{
    std::vector<problem> problems;
    const auto document = detail::parse_document(
        "{\"a\": {\"b\": 1,\n\"b\": 2}, \"c\": {\"b\": 3}}",
        problems
    );
    BOOST_TEST_REQUIRE(problems.size() == 1u);
    BOOST_TEST(problems[0].line == 2u);
    BOOST_TEST(problems[0].pointer == "/a/b");
    BOOST_TEST_REQUIRE(document.has_value());
    BOOST_TEST(document->find("a")->members.size() == 2u);
    BOOST_TEST(document->find("a")->find("b")->value == 1);
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

BOOST_AUTO_TEST_SUITE_END()
