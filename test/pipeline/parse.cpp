// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stage_fixture.hpp"

#include <boost/test/unit_test.hpp>

namespace sluice::test {

BOOST_FIXTURE_TEST_SUITE(parse, stage_fixture)

BOOST_AUTO_TEST_CASE(texts_that_are_json_become_values)
{
    const auto result = result_of(
        "parse",
        {{"as", "json"}},
        to_elements({R"({"a": [1, "x"]})", "2", R"("text")"})
    );
    BOOST_TEST(to_texts(result) == (texts{R"({"a":[1,"x"]})", "2", "text"}));
    for (const element& each : result)
        BOOST_TEST((each.kind() == pipeline::element_kind::value));
}

BOOST_AUTO_TEST_CASE(what_is_no_json_is_an_error_that_shows_the_text)
{
    const auto error = error_of("parse", {{"as", "json"}}, to_elements({R"({"a":)"}));
    BOOST_TEST(holds(error, "no JSON: column 6"), error);
    BOOST_TEST(holds(error, R"({"a":)"), error);
}

BOOST_AUTO_TEST_CASE(texts_that_are_csv_become_objects_or_arrays)
{
    json options = {{"as", "csv"}, {"columns", {"id", "name"}}};
    BOOST_TEST(
        lines_of("parse", options, {"1,\"a,b\""}) == (texts{R"({"id":"1","name":"a,b"})"})
    );
    options["numbers"] = {"id"};
    BOOST_TEST(lines_of("parse", options, {"1,2"}) == (texts{R"({"id":1,"name":"2"})"}));
    options = {{"as", "csv"}, {"separator", ";"}, {"numbers", true}};
    BOOST_TEST(lines_of("parse", options, {"1;x"}) == (texts{R"([1,"x"])"}));
}

BOOST_AUTO_TEST_CASE(csv_with_another_number_of_fields_is_an_error)
{
    const json options = {{"as", "csv"}, {"columns", {"a", "b"}}};
    const auto error = error_of("parse", options, to_elements({"1"}));
    BOOST_TEST(holds(error, "1 field for 2 columns: 1"), error);
}

BOOST_AUTO_TEST_CASE(fields_of_csv_stand_between_separators_or_in_quotes)
{
    BOOST_TEST(
        lines_of(
            "parse",
            {{"as", "csv"}},
            {",", "", R"("a,b","","say ""x""")", "5\"x"}
        ) == (texts{R"(["",""])", R"([""])", R"(["a,b","","say \"x\""])", R"(["5\"x"])"})
    );
}

BOOST_AUTO_TEST_CASE(several_records_of_csv_in_one_text_are_an_error)
{
    for (const char* const end : {"", "\n", "\r", "\r\n"})
        BOOST_TEST(
            lines_of("parse", {{"as", "csv"}}, {"1,\"\n\"" + std::string(end)}) ==
            (texts{R"(["1","\n"])"})
        );
    for (const char* const lines :
         {"1,2\n3,4", "1\r2", "a\n,b", "\n\n", "\n\r", "\"a\"\n\"b\"", "a\r\n\n"}) {
        const auto error = error_of("parse", {{"as", "csv"}}, to_elements({lines}));
        BOOST_TEST(
            holds(error, "no CSV of one record: a line ends outside quotes"),
            error
        );
    }
}

BOOST_AUTO_TEST_CASE(quotes_of_csv_that_are_wrong_are_errors)
{
    const auto error = [this](const char* text) {
        return error_of("parse", {{"as", "csv"}}, to_elements({text}));
    };
    const std::string open = "no CSV: a quote is opened and never closed: ";
    BOOST_TEST(error(R"("a)") == open + R"("a)");
    BOOST_TEST(error(R"(x,"a"")") == open + R"(x,"a"")");
    BOOST_TEST(holds(error(R"("a"b)"), "no CSV: text behind a closing quote"));
}

// What is wrong with one text has no effect on the next.
BOOST_AUTO_TEST_CASE(texts_after_one_that_is_wrong_are_parsed)
{
    const texts given{"1,2", "\"", "3", "\"4\"x", "5,6"};
    const auto tested = make("parse", {{"as", "csv"}});
    fake_stage_context context(ctx, to_elements(given));
    context.action = pipeline::error_action::skip;
    run_until_done(run_stage(*tested, context));
    BOOST_TEST(
        to_texts(std::move(context.output)) ==
        (texts{R"(["1","2"])", R"(["3"])", R"(["5","6"])"})
    );
}

BOOST_AUTO_TEST_CASE(field_is_parsed_in_its_place)
{
    const json options = {{"as", "json"}, {"field", "body"}};
    const auto result =
        result_of("parse", options, {element(json{{"body", R"({"n":1})"}, {"id", 7}})});
    BOOST_TEST(to_texts(result) == (texts{R"({"body":{"n":1},"id":7})"}));
    const auto error = error_of("parse", options, {element(json{{"id", 7}})});
    BOOST_TEST(error == R"(there is no text body in {"id":7})");
}

BOOST_AUTO_TEST_CASE(impossible_options_are_problems)
{
    BOOST_TEST(problem_of("parse", json::object()) == "/as");
    BOOST_TEST(problem_of("parse", {{"as", "xml"}}) == "/as");
    BOOST_TEST(problem_of("parse", {{"as", "csv"}, {"separator", ""}}) == "/separator");
    BOOST_TEST(
        problem_of("parse", {{"as", "csv"}, {"columns", "a"}, {"numbers", {"b"}}}) ==
        "/numbers"
    );
    BOOST_TEST(problem_of("parse", {{"as", "csv"}, {"numbers", 1}}) == "/numbers");
    BOOST_TEST(
        problem_of("parse", {{"as", "csv"}, {"columns", {"a", "a"}}}) == "/columns"
    );
}

BOOST_AUTO_TEST_CASE(option_without_effect_is_a_problem_that_says_so)
{
    BOOST_TEST(
        to_string(full_problem_of("parse", {{"as", "json"}, {"separator", ";"}})) ==
        R"(/separator: found ";", expected no such option, unless "as" is "csv")"
    );
    BOOST_TEST(problem_of("parse", {{"as", "json"}, {"numbers", true}}) == "/numbers");
    BOOST_TEST(problem_of("parse", {{"as", "json"}, {"columns", "a"}}) == "/columns");
}

BOOST_AUTO_TEST_CASE(names_for_numbers_without_columns_are_a_problem_that_says_so)
{
    const auto problem = full_problem_of("parse", {{"as", "csv"}, {"numbers", {"id"}}});
    BOOST_TEST(
        problem.expected == R"(true or false, because there are no "columns" to be named)"
    );
}

BOOST_AUTO_TEST_CASE(names_that_are_not_utf8_are_a_problem_as_others_are)
{
    BOOST_TEST(problem_of("parse", {{"as", "csv"}, {"numbers", {"\xff"}}}) == "/numbers");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
