// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stage_fixture.hpp"

#include <boost/test/unit_test.hpp>

namespace sluice::test {

struct filter_fixture : stage_fixture
{
    // Which of these records pass, by their number.
    texts passing(const json& options)
    {
        std::vector<element> input;
        input.emplace_back(json{{"id", 1}, {"name", "one"}, {"size", {{"x", 5}}}});
        input.emplace_back(json{{"id", 2}, {"name", "two"}});
        input.emplace_back(json{{"id", 3}});
        texts ids;
        for (element& each : result_of("filter", options, std::move(input)))
            ids.push_back(each.value().at("id").dump());
        return ids;
    }
};

BOOST_FIXTURE_TEST_SUITE(filter, filter_fixture)

BOOST_AUTO_TEST_CASE(texts_that_match_pass)
{
    BOOST_TEST(
        lines_of("filter", {{"matches", "^a+$"}}, {"aa", "ab", "", "a"}) ==
        (texts{"aa", "a"})
    );
}

BOOST_AUTO_TEST_CASE(characters_beyond_ascii_match_as_a_whole)
{
    BOOST_TEST(
        lines_of("filter", {{"matches", "^[äö]$"}}, {"ä", "é", "ö"}) == (texts{"ä", "ö"})
    );
    BOOST_TEST(
        lines_of("filter", {{"matches", "^.{2}$"}}, {"é🙂", "é"}) == (texts{"é🙂"})
    );
    BOOST_TEST(lines_of("filter", {{"matches", "^.$"}}, {"\xe4"}) == (texts{"\xe4"}));
}

BOOST_AUTO_TEST_CASE(character_beyond_ascii_that_may_lack_does_so_in_ascii)
{
    BOOST_TEST(
        lines_of(
            "filter",
            {{"matches", "^é?f$"}},
            {"f",
             "éf",
             "\xa9"
             "f"}
        ) == (texts{"f", "éf"})
    );
}

BOOST_AUTO_TEST_CASE(letters_are_those_of_ascii_or_of_all_languages)
{
    const texts words{"a_1", "äß", "ДА", "\xe4"};
    const auto passing = [&](const char* pattern) {
        return lines_of("filter", {{"matches", pattern}}, words);
    };
    BOOST_TEST(passing(R"(^\w+$)") == (texts{"a_1"}));
    BOOST_TEST(passing(R"(^[[:alpha:]]+$)") == texts());
    BOOST_TEST(passing(R"(^\p{L}+$)") == (texts{"äß", "ДА", "\xe4"}));
    BOOST_TEST(passing(R"((*UCP)^\w+$)") == (texts{"a_1", "äß", "ДА", "\xe4"}));
    BOOST_TEST(passing("(?i)^да$") == (texts{"ДА"}));
}

BOOST_AUTO_TEST_CASE(character_that_is_no_byte_is_in_no_text_of_bytes)
{
    BOOST_TEST(
        lines_of("filter", {{"matches", R"([\x{20ac}x])"}}, {"€", "x", "\xe4x"}) ==
        (texts{"€", "x"})
    );
}

BOOST_AUTO_TEST_CASE(only_a_newline_ends_a_line)
{
    BOOST_TEST(
        lines_of("filter", {{"matches", "^a.$"}}, {"a\r", "a\n"}) == (texts{"a\r"})
    );
}

BOOST_AUTO_TEST_CASE(long_text_needs_no_stack)
{
    const std::string text(100'000, 'a');
    BOOST_TEST((lines_of("filter", {{"matches", "^(?:a|b)*$"}}, {text}) == texts{text}));
}

BOOST_AUTO_TEST_CASE(texts_that_do_not_match_pass)
{
    BOOST_TEST(lines_of("filter", {{"not_matches", "b"}}, {"aa", "ab"}) == (texts{"aa"}));
}

BOOST_AUTO_TEST_CASE(all_that_is_asked_for_must_hold)
{
    BOOST_TEST(
        lines_of("filter", {{"matches", "a"}, {"not_matches", "b"}}, {"a", "ab", "c"}) ==
        (texts{"a"})
    );
}

BOOST_AUTO_TEST_CASE(values_match_as_json)
{
    BOOST_TEST(passing({{"matches", "\"name\":\"two\""}}) == (texts{"2"}));
}

BOOST_AUTO_TEST_CASE(field_is_matched_instead_of_all)
{
    BOOST_TEST(passing({{"matches", "o"}, {"field", "name"}}) == (texts{"1", "2"}));
    BOOST_TEST(passing({{"matches", "^5$"}, {"field", "/size/x"}}) == (texts{"1"}));
}

BOOST_AUTO_TEST_CASE(missing_field_matches_nothing)
{
    BOOST_TEST(passing({{"not_matches", "one"}, {"field", "name"}}) == (texts{"2", "3"}));
}

BOOST_AUTO_TEST_CASE(where_is_a_condition)
{
    BOOST_TEST(passing({{"where", ".id % 2 == 1 and .id * 2 > 5"}}) == (texts{"3"}));
    BOOST_TEST(passing({{"where", ".name == \"two\""}}) == (texts{"2"}));
}

BOOST_AUTO_TEST_CASE(missing_field_is_false_in_a_condition)
{
    BOOST_TEST(passing({{"where", ".size.x < 9"}}) == (texts{"1"}));
    BOOST_TEST(passing({{"where", ".size.x > 1"}}) == (texts{"1"}));
}

BOOST_AUTO_TEST_CASE(where_sees_numbers_and_texts_themselves)
{
    std::vector<element> input;
    for (int i = 0; i < 6; ++i)
        input.emplace_back(json(i));
    const auto result = result_of("filter", {{"where", ". % 3 == 0"}}, std::move(input));
    BOOST_TEST(to_texts(result) == (texts{"0", "3"}));
    BOOST_TEST(
        lines_of("filter", {{"where", "length > 1"}}, {"a", "bc"}) == (texts{"bc"})
    );
}

BOOST_AUTO_TEST_CASE(what_passes_a_condition_is_not_changed)
{
    const auto large = element(json{{"id", 9'007'199'254'740'993}, {"n", 1}});
    const auto result = result_of("filter", {{"where", ".n == 1"}}, {large});
    BOOST_TEST((result == std::vector<element>{large}));
}

BOOST_AUTO_TEST_CASE(where_that_fails_is_an_error_that_shows_the_value)
{
    const auto error =
        error_of("filter", {{"where", ".n + 1 > 1"}}, {element(json{{"n", "x"}})});
    BOOST_TEST(
        error == R"(cannot evaluate ".n + 1 > 1" for {"n":"x"}: .n is "x", not a number)"
    );
}

BOOST_AUTO_TEST_CASE(element_for_which_where_fails_can_be_left_out)
{
    std::vector<element> input;
    input.emplace_back(json{{"n", "x"}});
    input.emplace_back(json{{"n", 2}});
    const auto skipped =
        skipped_by("filter", {{"where", ".n + 1 > 1"}}, std::move(input));
    BOOST_TEST_REQUIRE(skipped.size() == 1U);
    BOOST_TEST(skipped.front().starts_with(R"({"n":"x"}: cannot evaluate)"));
}

BOOST_AUTO_TEST_CASE(text_that_takes_a_pattern_too_many_steps_is_named_or_left_out)
{
    const json options{{"matches", "(q+)+[yz]"}};
    const texts input{std::string(3000, 'q'), "qz"};
    const auto error = error_of("filter", options, to_elements(input));
    BOOST_TEST(
        error.starts_with(R"(matching the pattern "(q+)+[yz]" would take too many steps )"
                          R"(for a text of 3,000 characters, which begins "qqq)"),
        error
    );
    const auto skipped = skipped_by("filter", options, to_elements(input));
    BOOST_TEST(skipped.size() == 1U);
}

BOOST_AUTO_TEST_CASE(long_options_are_quoted_by_their_beginnings)
{
    const std::string many(200'000, '(');
    const std::vector<json> options = {
        {{"matches", many}},
        {{"where", many}},
        {{"matches", "x"}, {"field", '/' + many + '~'}}
    };
    for (const json& each : options) {
        const std::string message = to_string(full_problem_of("filter", each));
        BOOST_TEST(message.size() < 500U, message.substr(0, 500));
    }
}

BOOST_AUTO_TEST_CASE(option_without_effect_is_a_problem_that_says_so)
{
    BOOST_TEST(
        to_string(full_problem_of("filter", {{"where", ".a"}, {"field", "a"}})) ==
        R"(/field: found "a", expected no such option, unless there is "matches" or "not_matches")"
    );
}

BOOST_AUTO_TEST_CASE(escapes_that_the_engine_does_not_know_are_refused)
{
    for (const char* const pattern :
         {R"(\u00e9)", R"(\U)", R"(\N{DIGIT ONE})", R"(a\Cb)", R"(\p{None})"})
        BOOST_TEST(problem_of("filter", {{"matches", pattern}}) == "/matches", pattern);
    BOOST_TEST(
        full_problem_of("filter", {{"matches", "a("}}).expected ==
        "a regular expression (missing closing parenthesis at byte 3)"
    );
}

BOOST_AUTO_TEST_CASE(impossible_options_are_problems)
{
    BOOST_TEST(problem_of("filter", json::object()) == "/where");
    BOOST_TEST(problem_of("filter", {{"matches", "("}}) == "/matches");
    BOOST_TEST(problem_of("filter", {{"not_matches", "["}}) == "/not_matches");
    BOOST_TEST(problem_of("filter", {{"where", ".n >"}}) == "/where");
    BOOST_TEST(problem_of("filter", {{"where", ""}}) == "/where");
    BOOST_TEST(
        to_string(full_problem_of("filter", {{"where", ".a | test"}})) ==
        R"(/where: found ".a | test", expected an expression (the name of a field has a )"
        R"(dot before it, as .test at character 6; the stage jq runs programs))"
    );
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
