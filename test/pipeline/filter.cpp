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

BOOST_AUTO_TEST_CASE(where_computes_with_fields)
{
    BOOST_TEST(passing({{"where", "id % 2 == 1 && id * 2 > 5"}}) == (texts{"3"}));
}

BOOST_AUTO_TEST_CASE(where_computes_with_numbers_themselves)
{
    std::vector<element> input;
    for (int i = 0; i < 6; ++i)
        input.emplace_back(json(i));
    const auto result =
        result_of("filter", {{"where", "value % 3 == 0"}}, std::move(input));
    BOOST_TEST(to_texts(result) == (texts{"0", "3"}));
}

BOOST_AUTO_TEST_CASE(where_without_its_field_or_with_null_matches_nothing)
{
    const json records = json::array(
        {{{"a", 1}}, {{"a", nullptr}}, {{"b", 1}}, {{"a", 0}}, 7}
    );
    std::vector<element> input(records.begin(), records.end());
    BOOST_TEST(
        to_texts(result_of("filter", {{"where", "a > 0"}}, input)) == texts{R"({"a":1})"}
    );
}

BOOST_AUTO_TEST_CASE(where_compares_numbers_that_stay_as_they_are_written)
{
    json record{{"price", pipeline::written_number("1.10")}};
    const auto result =
        result_of("filter", {{"where", "price > 1.05"}}, {element(record)});
    BOOST_TEST(to_texts(result) == texts{R"({"price":1.10})"});
}

BOOST_AUTO_TEST_CASE(where_with_a_text_is_a_problem_that_names_the_remedy)
{
    const auto found = full_problem_of("filter", {{"where", "city == \"Rome\""}});
    BOOST_TEST(holds(found.expected, "compares numbers only"), found.expected);
}

BOOST_AUTO_TEST_CASE(where_without_its_number_is_an_error_that_shows_the_value)
{
    const auto error =
        error_of("filter", {{"where", "n > 1"}}, {element(json{{"n", "x"}})});
    BOOST_TEST(
        error == R"(cannot evaluate "n > 1" for {"n":"x"}: there is no number "n")"
    );
}

BOOST_AUTO_TEST_CASE(where_without_a_result_is_an_error)
{
    const auto error =
        error_of("filter", {{"where", "1 / n"}}, {element(json{{"n", 0}})});
    BOOST_TEST(holds(error, "the result is no number"), error);
}

BOOST_AUTO_TEST_CASE(texts_have_no_fields)
{
    const auto error = error_of("filter", {{"where", "n > 1"}}, to_elements({"x"}));
    BOOST_TEST(holds(error, "takes a value, but got the text x"), error);
}

BOOST_AUTO_TEST_CASE(where_compares_in_all_ways)
{
    const std::string all = "id==2 && id>=2 && id<=2 && id!=3";
    BOOST_TEST(passing({{"where", all}}) == (texts{"2"}));
}

BOOST_AUTO_TEST_CASE(commas_in_where_separate_arguments)
{
    BOOST_TEST(passing({{"where", "max(id, 2, min(1, id)) > 2"}}) == (texts{"3"}));
}

BOOST_AUTO_TEST_CASE(assignment_in_where_is_a_problem_that_names_the_comparison)
{
    for (const char* where : {"id = 5", "id=5", "=5", "id =", "id === 5", "id > (n = 1)"})
        BOOST_TEST(problem_of("filter", {{"where", where}}) == "/where", where);
    const auto found = full_problem_of("filter", {{"where", "id = 5"}});
    BOOST_TEST(holds(found.expected, "== compares"), found.expected);
}

BOOST_AUTO_TEST_CASE(comma_in_where_outside_a_function_is_a_problem_that_names_the_remedy)
{
    for (const char* where : {"id, 1", "(id, 1)", "id > 1, id < 3", ",", "1,"})
        BOOST_TEST(problem_of("filter", {{"where", where}}) == "/where", where);
    const auto found = full_problem_of("filter", {{"where", "id > 1, id < 3"}});
    BOOST_TEST(holds(found.expected, "&& is \"and\""), found.expected);
}

BOOST_AUTO_TEST_CASE(long_options_are_quoted_by_their_beginnings)
{
    const std::string many(200'000, '(');
    const std::string name(15'000, '$');
    const std::vector<json> options = {
        {{"matches", many}},
        {{"where", many}},
        {{"where", name}},
        {{"matches", "x"}, {"field", '/' + many + '~'}}
    };
    for (const json& each : options) {
        const std::string message = to_string(full_problem_of("filter", each));
        BOOST_TEST(message.size() < 500U, message.substr(0, 500));
    }
}

BOOST_AUTO_TEST_CASE(impossible_options_are_problems)
{
    BOOST_TEST(problem_of("filter", json::object()) == "/where");
    BOOST_TEST(problem_of("filter", {{"matches", "("}}) == "/matches");
    BOOST_TEST(problem_of("filter", {{"not_matches", "["}}) == "/not_matches");
    BOOST_TEST(problem_of("filter", {{"where", "n >"}}) == "/where");
    BOOST_TEST(problem_of("filter", {{"where", ""}}) == "/where");
    BOOST_TEST(problem_of("filter", {{"where", "unknown(n)"}}) == "/where");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
