// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/data/json_text.hpp"
#include "pipeline/data/record_builder.hpp"
#include "pipeline/stage_fixture.hpp"

#include <boost/test/unit_test.hpp>

namespace sluice::test {

struct map_fixture : stage_fixture
{
    // What a value becomes, as JSON.
    texts map(const json& options, const json& value)
    {
        return to_texts(result_of("map", options, {element(value)}));
    }

    std::string error(const json& options, const json& value)
    {
        return error_of("map", options, {element(value)});
    }
};

BOOST_FIXTURE_TEST_SUITE(map, map_fixture)

// Replace

BOOST_AUTO_TEST_CASE(replace_changes_every_match_of_a_text)
{
    const json options = {{"replace", "([a-z])-"}, {"with", "$1+"}};
    BOOST_TEST(lines_of("map", options, {"a-b-c", "A-"}) == (texts{"a+b+c", "A-"}));
}

BOOST_AUTO_TEST_CASE(replace_without_with_removes)
{
    BOOST_TEST(lines_of("map", {{"replace", "\\s+"}}, {" a b "}) == (texts{"ab"}));
}

BOOST_AUTO_TEST_CASE(replace_leaves_characters_beyond_ascii_whole)
{
    const auto becomes = [this](const char* replace, const char* with, const char* text) {
        return lines_of("map", {{"replace", replace}, {"with", with}}, {text}).at(0);
    };
    BOOST_TEST(becomes("[äö]", "_", "é ä") == "é _");
    BOOST_TEST(becomes("[а-я]+", "w", "да, нет") == "w, w");
    BOOST_TEST(becomes("é+", "e", "créée") == "cree");
    BOOST_TEST(becomes("é?f", "F", "caéf") == "caF");
    BOOST_TEST(becomes("^.(.*)", "$1", "äé🙂") == "é🙂");
    BOOST_TEST(becomes("", "-", "é") == "-é-");
    BOOST_TEST(becomes("a", "🙂ä", "éa") == "é🙂ä");
}

BOOST_AUTO_TEST_CASE(replace_finds_bytes_in_a_text_that_is_not_utf8)
{
    const json options = {{"replace", R"([\xe4\xf6])"}, {"with", "_"}};
    BOOST_TEST(lines_of("map", options, {"\xe4\xe9\xf6"}) == (texts{"_\xe9_"}));
}

BOOST_AUTO_TEST_CASE(replace_with_field_changes_that_field)
{
    const json options = {{"replace", "x"}, {"with", "y"}, {"field", "a"}};
    BOOST_TEST(
        map(options, {{"a", "xx"}, {"b", "x"}}) == (texts{R"({"a":"yy","b":"x"})"})
    );
    BOOST_TEST(map(options, {{"a", 1}}) == (texts{R"({"a":1})"}));
    BOOST_TEST(map(options, {{"b", "x"}}) == (texts{R"({"b":"x"})"}));
}

BOOST_AUTO_TEST_CASE(replacement_names_groups_and_escapes_its_signs)
{
    const auto becomes = [this](const char* with) {
        return lines_of(
            "map",
            {{"replace", "(?<first>.)-(b)?"}, {"with", with}},
            {"x-ya-b"}
        );
    };
    BOOST_TEST(becomes("<${first}$2>") == (texts{"<x>y<ab>"}));
    BOOST_TEST(becomes(R"($$1\\)") == (texts{R"($1\y$1\)"}));
}

BOOST_AUTO_TEST_CASE(text_grows_with_its_replacement)
{
    const std::string much(10'000, 'y');
    BOOST_TEST((
        lines_of("map", {{"replace", "x"}, {"with", much}}, {"xx"}) == texts{much + much}
    ));
}

BOOST_AUTO_TEST_CASE(replacement_that_is_none_is_a_problem)
{
    for (const char* const with : {"${", "$", R"(\)", R"(\k)"})
        BOOST_TEST(
            problem_of("map", {{"replace", "x"}, {"with", with}}) == "/with",
            with
        );
}

// Extract

BOOST_AUTO_TEST_CASE(extract_makes_objects_of_named_groups)
{
    const json options = {{"extract", R"((?<key>\w+)=(?<value>\d+)(?<unit>s)?)"}};
    BOOST_TEST(
        lines_of("map", options, {"a=1", "b=2s"}) ==
        (texts{
            R"({"key":"a","value":"1","unit":null})",
            R"({"key":"b","value":"2","unit":"s"})"
        })
    );
}

BOOST_AUTO_TEST_CASE(extract_leaves_characters_beyond_ascii_whole)
{
    const json options = {{"extract", "^(?<first>.)(?<umlaut>[äöü])?"}};
    BOOST_TEST(
        lines_of("map", options, {"éö", "🙂é"}) ==
        (texts{R"({"first":"é","umlaut":"ö"})", R"({"first":"🙂","umlaut":null})"})
    );
}

BOOST_AUTO_TEST_CASE(extract_with_field_adds_to_the_value)
{
    const json options = {{"extract", "(?<year>[0-9]{4})"}, {"field", "date"}};
    BOOST_TEST(
        map(options, {{"date", "May 2026"}}) ==
        (texts{R"({"date":"May 2026","year":"2026"})"})
    );
}

BOOST_AUTO_TEST_CASE(extract_looks_in_a_number_as_it_is_written)
{
    const json options = {{"extract", "^(?<pounds>[0-9]+)"}, {"field", "price"}};
    BOOST_TEST(
        map(options, {{"price", 12.5}}) == (texts{R"({"price":12.5,"pounds":"12"})"})
    );
    BOOST_TEST(
        to_texts(result_of(
            "map",
            options,
            {element(pipeline::parse_json(R"({"price":12.50})"))}
        )) == (texts{R"({"price":12.50,"pounds":"12"})"})
    );
}

BOOST_AUTO_TEST_CASE(
    element_in_which_extract_finds_nothing_is_an_error_or_dropped_or_passed_on
)
{
    json options = {{"extract", "(?<n>[0-9])"}};
    BOOST_TEST(
        skipped_by("map", options, to_elements({"1", "x"})) ==
        texts{R"(x: "extract" finds nothing in x; "unmatched": "drop" leaves that out)"}
    );
    BOOST_TEST(holds(error_of("map", options, to_elements({"x"})), "finds nothing in"));
    options["unmatched"] = "drop";
    BOOST_TEST(lines_of("map", options, {"1", "x"}) == (texts{R"({"n":"1"})"}));
    options["unmatched"] = "pass";
    BOOST_TEST(lines_of("map", options, {"1", "x"}) == (texts{R"({"n":"1"})", "x"}));
    options["field"] = "a";
    for (const char* value : {R"({"a":"x"})", R"({"a":null})", R"({"b":1})"}) {
        const std::vector<element> input{element(json::parse(value))};
        options["unmatched"] = "error";
        BOOST_TEST(holds(error_of("map", options, input), value), value);
        options["unmatched"] = "drop";
        BOOST_TEST(result_of("map", options, input).empty(), value);
        options["unmatched"] = "pass";
        BOOST_TEST(to_texts(result_of("map", options, input)) == texts{value});
    }
    BOOST_TEST(
        problem_of("map", {{"field", "a"}, {"unmatched", "drop"}}) == "/unmatched"
    );
}

BOOST_AUTO_TEST_CASE(of_groups_of_one_name_the_first_that_matched_counts)
{
    const json options = {{"extract", "a(?<x>[0-9])|b(?<x>[0-9])"}, {"field", "t"}};
    BOOST_TEST(map(options, {{"t", "b1 a2"}}) == (texts{R"({"t":"b1 a2","x":"1"})"}));
}

BOOST_AUTO_TEST_CASE(extracted_numbers_become_numbers_on_request)
{
    json options = {{"extract", R"((?<status>\d+) (?<bytes>\d+|-))"}};
    options["numbers"] = {"bytes"};
    BOOST_TEST(
        lines_of("map", options, {"200 17", "200 -"}) ==
        (texts{R"({"status":"200","bytes":17})", R"({"status":"200","bytes":"-"})"})
    );
    options["numbers"] = true;
    BOOST_TEST(
        lines_of("map", options, {"200 17"}) == (texts{R"({"status":200,"bytes":17})"})
    );
    options["numbers"] = {"size"};
    BOOST_TEST(problem_of("map", options) == "/numbers");
}

BOOST_AUTO_TEST_CASE(what_only_looks_like_a_named_group_is_none)
{
    const json options = {{"extract", R"(\(?<a>[(?<b>](?<c>.))"}};
    BOOST_TEST(lines_of("map", options, {"(<a>?x"}) == (texts{R"({"c":"x"})"}));
}

// Field

BOOST_AUTO_TEST_CASE(field_gives_what_is_there)
{
    const auto strings = result_of("map", {{"field", "a"}}, {element(json{{"a", "x"}})});
    BOOST_TEST(strings.front().text() == "x");
    BOOST_TEST(map({{"field", "/a/1"}}, {{"a", {1, 2}}}) == (texts{"2"}));
}

BOOST_AUTO_TEST_CASE(missing_field_is_an_error_that_shows_the_value)
{
    BOOST_TEST(
        error({{"field", "a"}}, {{"b", 1}}) == R"(there is no field "a" in {"b":1})"
    );
}

// Set

BOOST_AUTO_TEST_CASE(set_computes_fields)
{
    const json options = {{"set", {{"sum", ".a + .b"}, {"half", ".a / 2"}, {"a", "-.a"}}}
    };
    BOOST_TEST(
        map(options, {{"a", 3}, {"b", 0.5}}) ==
        (texts{R"({"a":-3,"b":0.5,"half":1.5,"sum":3.5})"})
    );
}

BOOST_AUTO_TEST_CASE(set_leaves_other_fields_exactly_as_they_are)
{
    BOOST_TEST(
        map({{"set", {{"b", "1"}}}}, {{"a", 9'007'199'254'740'993}}) ==
        (texts{R"({"a":9007199254740993,"b":1})"})
    );
}

BOOST_AUTO_TEST_CASE(set_computes_all_fields_from_those_that_came_in)
{
    BOOST_TEST(
        map({{"set", {{"a", ".b"}, {"b", ".a"}}}}, {{"a", 1}, {"b", 2}}) ==
        (texts{R"({"a":2,"b":1})"})
    );
}

BOOST_AUTO_TEST_CASE(set_copies_numbers_and_texts_as_they_are_written)
{
    const json options{{"set", {{"c", ".a"}, {"d", ".b"}}}};
    const auto value = pipeline::parse_json(R"({"a":1.10,"b":"\u0041"})");
    BOOST_TEST(map(options, value) == (texts{R"({"a":1.10,"b":"A","c":1.10,"d":"A"})"}));
}

BOOST_AUTO_TEST_CASE(set_that_computes_with_what_is_no_number_is_an_error)
{
    BOOST_TEST(
        error({{"set", {{"b", ".a * 2"}}}}, {{"a", "x"}}) ==
        R"(cannot evaluate ".a * 2" for {"a":"x"}: .a is "x", not a number)"
    );
}

BOOST_AUTO_TEST_CASE(only_objects_have_fields_that_change)
{
    for (const json& options :
         {json{{"set", {{"b", "1"}}}}, json{{"rename", {{"a", "b"}}}}, json{{"keep", "a"}}
         }) {
        const auto message = error(options, {1, 2});
        BOOST_TEST(message == "it changes the fields of objects, but got [1,2]");
    }
}

BOOST_AUTO_TEST_CASE(workers_do_not_share_their_numbers)
{
    const auto tested = make("map", {{"set", {{"b", ".a * 2"}}}});
    fake_stage_context first(ctx, {element(json{{"a", 1}})});
    fake_stage_context second(ctx, {element(json{{"a", 2}})});
    const auto a = spawn([&] { return tested->work(first); });
    const auto b = spawn([&] { return tested->work(second); });
    run_until_done(a);
    run_until_done(b);
    BOOST_TEST(first.output.front().value().at("b") == 2);
    BOOST_TEST(second.output.front().value().at("b") == 4);
}

// Rename, keep, drop

BOOST_AUTO_TEST_CASE(rename_gives_fields_other_names_in_their_places)
{
    const json value{{"a", 1}, {"b", 2}, {"c", 3}};
    BOOST_TEST(
        map({{"rename", {{"b", "x"}, {"none", "y"}}}}, value) ==
        (texts{R"({"a":1,"x":2,"c":3})"})
    );
    BOOST_TEST(
        map({{"rename", {{"a", "b"}, {"b", "a"}}}}, value) ==
        (texts{R"({"b":1,"a":2,"c":3})"})
    );
}

BOOST_AUTO_TEST_CASE(two_fields_of_one_name_are_an_error)
{
    BOOST_TEST(
        error({{"rename", {{"a", "b"}}}}, {{"a", 1}, {"b", 2}}) ==
        R"(two fields would have the name "b")"
    );
}

BOOST_AUTO_TEST_CASE(keep_and_drop_choose_fields_in_the_order_of_the_value)
{
    const json value{{"a", 1}, {"b", 2}, {"c", 3}};
    BOOST_TEST(map({{"keep", {"c", "none", "a"}}}, value) == (texts{R"({"a":1,"c":3})"}));
    BOOST_TEST(map({{"drop", {"c", "none"}}}, value) == (texts{R"({"a":1,"b":2})"}));
    BOOST_TEST(map({{"drop", {"a", "b", "c"}}}, value) == (texts{"{}"}));
}

// Some 10^10 steps if each name was looked for among those before it.
BOOST_AUTO_TEST_CASE(rename_looks_at_each_of_very_many_fields_once)
{
    json object = json::object();
    auto& members = object.get_ref<json::object_t&>();
    for (int i = 0; i < 200'000; ++i)
        members.emplace_back(std::to_string(i), i);
    const std::string before = object.dump();
    BOOST_CHECK(map({{"rename", {{"a", "b"}}}}, object) == texts{before});
}

BOOST_AUTO_TEST_CASE(fields_are_computed_then_renamed_then_chosen)
{
    const json options{
        {"set", {{"sum", ".a + .b"}}},
        {"rename", {{"sum", "total"}}},
        {"keep", {"total"}}
    };
    BOOST_TEST(map(options, {{"a", 1}, {"b", 2}}) == (texts{R"({"total":3})"}));
}

BOOST_AUTO_TEST_CASE(records_keep_their_fields_as_they_are_and_their_lines)
{
    using pipeline::field;
    using pipeline::field_form;
    namespace data = pipeline::detail;
    const auto record =
        [](data::record_builder& builder, const char* price, std::uint64_t line) {
            builder.add_copy("1", field_form::text);
            builder.add_copy(price, field_form::json);
            return builder.finish(line);
        };
    const std::vector<std::string> names{"id", "price"};
    data::record_builder one(std::make_shared<data::field_names>(names));
    one.from(std::make_shared<const std::string>("a.csv"));
    data::record_builder other(
        std::make_shared<data::field_names>(std::vector<std::string>{"price", "id"})
    );
    const json options{
        {"set", {{"twice", ".price * 2"}, {"copy", ".price"}, {"text", ".id"}}},
        {"rename", {{"price", "cost"}}},
        {"drop", "id"}
    };
    std::vector<element> input;
    input.push_back(record(one, "1.10", 7));
    other.add_copy("2.50", field_form::json);
    other.add_copy("x", field_form::text);
    input.push_back(other.finish());
    input.push_back(record(one, "\"no\"", 8));
    input.push_back(record(one, "3e2", 9));
    const auto tested = make("map", options);
    fake_stage_context context(ctx, std::move(input));
    context.action = pipeline::error_action::skip;
    const auto done = spawn([&] { return tested->work(context); });
    run_until_done(done);
    BOOST_TEST(
        to_texts(context.output) ==
        (texts{
            R"({"cost":1.10,"copy":1.10,"text":"1","twice":2.2})",
            R"({"cost":2.50,"copy":2.50,"text":"x","twice":5})",
            R"({"cost":3e2,"copy":3e2,"text":"1","twice":600})"
        })
    );
    const auto* const block = data::block_of(context.output.back());
    BOOST_TEST_REQUIRE((block != nullptr));
    BOOST_TEST(*block->file() == "a.csv");
    BOOST_TEST(block->line_of(context.output.back().record()) == 9U);
}

BOOST_AUTO_TEST_CASE(lines_of_json_keep_what_does_not_change_and_their_lines)
{
    pipeline::detail::record_builder builder;
    builder.from(std::make_shared<const std::string>("a.json"));
    std::vector<element> input;
    for (const char* const line :
         {R"({ "a" : 1.10, "b\u0041":[1, {"a":2}] , "c":"x,}\"" })",
          R"({"a":2})",
          R"({})",
          R"({"a":3,"bA":4})"}) {
        builder.add_copy(line, pipeline::field_form::json);
        input.push_back(builder.finish(input.size() + 1));
    }
    const json options{
        {"set", {{"d", ".a // 0"}}},
        {"rename", {{"bA", "b"}}},
        {"drop", "a"}
    };
    const auto changed = result_of("map", options, input);
    BOOST_TEST(
        to_texts(changed) == (texts{
                                 R"({"b":[1,{"a":2}],"c":"x,}\"","d":1.10})",
                                 R"({"d":2})",
                                 R"({"d":0})",
                                 R"({"b":4,"d":3})"
                             })
    );
    BOOST_TEST(
        pipeline::detail::block_of(changed[3])->line_of(changed[3].record()) == 4U
    );
    BOOST_TEST(to_texts(result_of("map", {{"keep", "a"}}, input)).at(2) == "{}");
    std::string all;
    pipeline::detail::append_json(changed.front(), all, pipeline::invalid_utf8::refuse);
    BOOST_TEST(all == R"({"b":[1, {"a":2}],"c":"x,}\"","d":1.10})");
}

// Errors and options

BOOST_AUTO_TEST_CASE(values_have_no_text_without_a_field)
{
    const auto message = error({{"replace", "x"}}, {{"a", 1}});
    BOOST_TEST(holds(message, "it takes a text, but got the value"), message);
}

BOOST_AUTO_TEST_CASE(long_options_are_quoted_by_their_beginnings)
{
    const std::string many(200'000, 'x');
    const std::vector<json> options = {
        {{"extract", many}},
        {{"set", {many}}},
        {{"set", {{"a", {many}}}}},
        {{"set", {{"a", "1"}}}, {"field", many}}
    };
    for (const json& each : options) {
        const std::string message = to_string(full_problem_of("map", each));
        BOOST_TEST(message.size() < 500U, message.substr(0, 500));
    }
}

BOOST_AUTO_TEST_CASE(option_without_effect_is_a_problem_that_says_so)
{
    BOOST_TEST(
        to_string(full_problem_of("map", {{"extract", "(?<a>x)"}, {"with", "y"}})) ==
        R"(/with: found "y", expected no such option, unless there is "replace")"
    );
    BOOST_TEST(problem_of("map", {{"replace", "x"}, {"numbers", true}}) == "/numbers");
    BOOST_TEST(problem_of("map", {{"field", "a"}, {"numbers", {"a"}}}) == "/numbers");
}

BOOST_AUTO_TEST_CASE(impossible_options_are_problems)
{
    BOOST_TEST(problem_of("map", json::object()) == "/field");
    BOOST_TEST(problem_of("map", {{"replace", "x"}, {"extract", "y"}}) == "/set");
    BOOST_TEST(problem_of("map", {{"field", "a"}, {"set", {{"a", "1"}}}}) == "/field");
    BOOST_TEST(problem_of("map", {{"replace", "("}}) == "/replace");
    BOOST_TEST(problem_of("map", {{"extract", "(x)"}}) == "/extract");
    BOOST_TEST(problem_of("map", {{"set", json::object()}}) == "/set");
    BOOST_TEST(problem_of("map", {{"set", {{"a", 1}}}}) == "/set");
    BOOST_TEST(problem_of("map", {{"set", {{"a", "1 +"}}}}) == "/set");
    BOOST_TEST(problem_of("map", {{"set", {{"b", "empty"}}}}) == "/set");
    BOOST_TEST(problem_of("map", {{"keep", "a"}, {"extract", "y"}}) == "/set");
    BOOST_TEST(problem_of("map", {{"keep", "a"}, {"field", "a"}}) == "/field");
    BOOST_TEST(problem_of("map", {{"keep", "a"}, {"drop", "b"}}) == "/drop");
    BOOST_TEST(problem_of("map", {{"keep", json::array()}}) == "/keep");
    BOOST_TEST(problem_of("map", {{"drop", json::array()}}) == "/drop");
    BOOST_TEST(problem_of("map", {{"rename", {"a"}}}) == "/rename");
    BOOST_TEST(problem_of("map", {{"rename", {{"a", "c"}, {"b", "c"}}}}) == "/rename");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
