// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stage_fixture.hpp"

#include <boost/test/unit_test.hpp>

namespace sluice::test {

struct aggregate_fixture : stage_fixture
{
    texts aggregate(const json& options, const std::vector<json>& values)
    {
        std::vector<element> input;
        for (const json& each : values)
            input.emplace_back(each);
        return to_texts(result_of("aggregate", options, std::move(input)));
    }

    const std::vector<json> requests = {
        {{"status", 200}, {"url", "/a"}, {"bytes", 10}},
        {{"status", 200}, {"url", "/b"}, {"bytes", 30}},
        {{"status", 200}, {"url", "/a"}, {"bytes", 2}},
        {{"status", 404}, {"url", "/x"}},
    };
};

BOOST_FIXTURE_TEST_SUITE(aggregate, aggregate_fixture)

BOOST_AUTO_TEST_CASE(groups_are_counted_the_largest_first)
{
    BOOST_TEST(
        aggregate({{"by", "status"}}, requests) ==
        (texts{R"({"status":200,"count":3})", R"({"status":404,"count":1})"})
    );
}

BOOST_AUTO_TEST_CASE(several_fields_make_groups_of_equal_ones)
{
    BOOST_TEST(
        aggregate({{"by", {"status", "url"}}}, requests) ==
        (texts{
            R"({"status":200,"url":"/a","count":2})",
            R"({"status":200,"url":"/b","count":1})",
            R"({"status":404,"url":"/x","count":1})"
        })
    );
}

BOOST_AUTO_TEST_CASE(numbers_are_computed_where_there_are_any)
{
    const json options = {{"by", "status"}, {"of", "bytes"}, {"compute", {"sum", "max"}}};
    BOOST_TEST(
        aggregate(options, requests) ==
        (texts{
            R"({"status":200,"count":3,"bytes_sum":42,"bytes_max":30})",
            R"({"status":404,"count":1,"bytes_sum":0,"bytes_max":null})"
        })
    );
}

BOOST_AUTO_TEST_CASE(without_by_all_are_one_group)
{
    BOOST_TEST(
        aggregate({{"of", "bytes"}, {"compute", "median"}}, requests) ==
        (texts{R"({"count":4,"bytes_median":10})"})
    );
    BOOST_TEST(aggregate(json::object(), {}) == texts());
}

BOOST_AUTO_TEST_CASE(missing_field_is_the_group_null)
{
    BOOST_TEST(
        aggregate({{"by", "bytes"}, {"top", 1}}, {{{"a", 1}}, {{"bytes", nullptr}}}) ==
        (texts{R"({"bytes":null,"count":2})"})
    );
}

BOOST_AUTO_TEST_CASE(top_groups_are_given_for_each_of_others)
{
    const json options = {{"by", {"status", "url"}}, {"top", 1}, {"top_in", "status"}};
    BOOST_TEST(
        aggregate(options, requests) == (texts{
                                            R"({"status":200,"url":"/a","count":2})",
                                            R"({"status":404,"url":"/x","count":1})"
                                        })
    );
}

BOOST_AUTO_TEST_CASE(groups_are_ranked_by_what_is_computed)
{
    const json options = {
        {"by", "url"},
        {"of", "bytes"},
        {"compute", "mean"},
        {"top", 2},
        {"top_by", "bytes_mean"}
    };
    BOOST_TEST(
        aggregate(options, requests) == (texts{
                                            R"({"url":"/b","count":1,"bytes_mean":30})",
                                            R"({"url":"/a","count":2,"bytes_mean":6})"
                                        })
    );
}

BOOST_AUTO_TEST_CASE(workers_count_together)
{
    const auto tested = make("aggregate", {{"by", "a"}});
    fake_stage_context first(ctx, {element(json{{"a", 1}})});
    fake_stage_context second(ctx, {element(json{{"a", 1}}), element(json{{"a", 2}})});
    run_until_done(tested->work(first));
    run_until_done(tested->work(second));
    run_until_done(tested->finish(second));
    BOOST_TEST(
        to_texts(std::move(second.output)) ==
        (texts{R"({"a":1,"count":2})", R"({"a":2,"count":1})"})
    );
}

BOOST_AUTO_TEST_CASE(without_an_output_lines_of_json_are_printed)
{
    const auto tested = make("aggregate", {{"by", "a"}});
    fake_stage_context context(ctx, {element(json{{"a", "x"}})});
    context.with_output = false;
    run_until_done(run_stage(*tested, context));
    BOOST_TEST(context.printed.text() == "{\"a\":\"x\",\"count\":1}\n");
}

BOOST_AUTO_TEST_CASE(field_that_is_no_number_is_an_error_that_shows_the_value)
{
    const auto error = error_of("aggregate", {{"of", "a"}}, {element(json{{"a", "x"}})});
    BOOST_TEST(error == R"(the field a is no number in {"a":"x"})");
}

BOOST_AUTO_TEST_CASE(value_that_cannot_be_counted_can_be_left_out)
{
    std::vector<element> input = to_elements({"x"});
    input.emplace_back(json{{"a", "y"}});
    input.emplace_back(json{{"a", 1}});
    const auto skipped = skipped_by("aggregate", {{"of", "a"}}, std::move(input));
    BOOST_TEST_REQUIRE(skipped.size() == 2U);
    BOOST_TEST(skipped[0].starts_with("x: aggregate takes a value"));
    BOOST_TEST(skipped[1] == R"({"a":"y"}: the field a is no number in {"a":"y"})");
}

BOOST_AUTO_TEST_CASE(impossible_options_are_problems)
{
    BOOST_TEST(problem_of("aggregate", {{"compute", "avg"}}) == "/compute");
    BOOST_TEST(problem_of("aggregate", {{"by", ""}}) == "/by");
    BOOST_TEST(problem_of("aggregate", {{"by", "count"}}) == "/by");
    BOOST_TEST(problem_of("aggregate", {{"of", "/~"}}) == "/of");
    BOOST_TEST(problem_of("aggregate", {{"top_by", "a_sum"}}) == "/top_by");
    BOOST_TEST(problem_of("aggregate", {{"top_in", "a"}}) == "/top_in");
    BOOST_TEST(problem_of("aggregate", {{"top", -1}}) == "/top");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
