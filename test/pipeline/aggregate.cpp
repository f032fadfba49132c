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

    // Of each of 4,000 users three purchases, and one of nothing.
    static std::vector<element> purchases(int users = 4'000)
    {
        std::vector<element> all;
        for (int purchase = 0; purchase < 4; ++purchase)
            for (int user = 0; user < users; ++user)
                all.emplace_back(json{
                    {"country", user % 2 == 0 ? "fr" : "de"},
                    {"user", user},
                    {"price", purchase == 3 ? json() : json(user + purchase * 0.5)}
                });
        return all;
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

BOOST_AUTO_TEST_CASE(large_whole_numbers_are_ranked_exactly)
{
    const json options =
        {{"by", "k"}, {"of", "n"}, {"compute", "sum"}, {"top", 1}, {"top_by", "n_sum"}};
    for (const std::uint64_t large : {1ULL << 53U, ~0ULL - 1}) {
        const std::vector<json> values = {
            {{"k", "a"}, {"n", large}},
            {{"k", "b"}, {"n", large + 1}}
        };
        BOOST_TEST(holds(aggregate(options, values).at(0), R"("k":"b")"));
    }
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
    BOOST_TEST(skipped[0].starts_with("x: it takes a value"));
    BOOST_TEST(skipped[1] == R"({"a":"y"}: the field a is no number in {"a":"y"})");
}

BOOST_AUTO_TEST_CASE(groups_are_ranked_whatever_their_number)
{
    json options = {
        {"by", {"country", "user"}},
        {"of", "price"},
        {"compute", {"sum", "mean", "min", "max", "median"}},
        {"top_by", "price_mean"}
    };
    const auto input = purchases(2'000);
    for (const json& more :
         {json::object(), json{{"top", 3}}, json{{"top", 3}, {"top_in", "country"}}}) {
        options.update(more);
        const auto given = to_texts(result_of("aggregate", options, input));
        BOOST_TEST(
            given.size() == (more.contains("top_in") ? 6U
                             : more.empty()          ? 2'000U
                                                     : 3U)
        );
        BOOST_TEST(
            given.front() ==
            R"({"country":"de","user":1999,"count":4,"price_sum":5998.5,"price_mean":1999.5,)"
            R"("price_min":1999,"price_max":2000,"price_median":1999.5})"
        );
    }
}

BOOST_AUTO_TEST_CASE(more_groups_than_fit_into_memory_are_an_error)
{
    std::vector<element> input;
    for (int user = 0; user < 20'000; ++user)
        input.emplace_back(json{{"user", user}});
    const json options = {{"by", "user"}, {"top", 1}, {"memory", "1 MiB"}};
    const auto error = error_of("aggregate", options, std::move(input));
    BOOST_TEST(holds(error, " keys takes more than its \"memory\", 1 MiB; "), error);
}

BOOST_AUTO_TEST_CASE(numbers_of_one_group_that_do_not_fit_into_memory_are_an_error)
{
    const auto numbers = [](int count) {
        std::vector<element> all;
        for (int i = 0; i < count; ++i)
            all.emplace_back(json{{"n", i}});
        return all;
    };
    const json options =
        {{"of", {"n", "/n"}}, {"compute", "median"}, {"memory", "1 MiB"}};
    BOOST_TEST(
        to_texts(result_of("aggregate", options, numbers(30'000))) ==
        (texts{R"({"count":30000,"n_median":14999,"/n_median":14999})"})
    );
    BOOST_TEST(
        error_of("aggregate", options, numbers(32'768)) ==
        "what it keeps of 1 key takes more than its \"memory\", 1 MiB; raise that, or "
        "leave median and percentiles out of \"compute\""
    );
}

BOOST_AUTO_TEST_CASE(stop_is_heeded_between_any_two_steps)
{
    auto input = purchases();
    input.resize(2'000);
    BOOST_TEST(ends_by_cancellation("aggregate", {{"by", "user"}}, input, true) > 6U);
}

BOOST_AUTO_TEST_CASE(option_without_effect_is_a_problem_that_says_so)
{
    BOOST_TEST(
        to_string(full_problem_of("aggregate", {{"by", "a"}, {"compute", {"sum"}}})) ==
        R"(/compute: found ["sum"], expected no such option, unless there is "of")"
    );
    for (json options : {json::object(), json{{"top", 0}}}) {
        options.update({{"by", "a"}, {"top_in", "a"}});
        BOOST_TEST(
            to_string(full_problem_of("aggregate", options)) ==
            R"(/top_in: found "a", expected no such option, unless there is "top")"
        );
    }
}

BOOST_AUTO_TEST_CASE(impossible_options_are_problems)
{
    BOOST_TEST(problem_of("aggregate", {{"of", "n"}, {"compute", "avg"}}) == "/compute");
    BOOST_TEST(problem_of("aggregate", {{"by", ""}}) == "/by");
    BOOST_TEST(problem_of("aggregate", {{"by", "count"}}) == "/by");
    BOOST_TEST(problem_of("aggregate", {{"of", "/~"}}) == "/of");
    const json replaced = {{"by", "v_sum"}, {"of", "v"}, {"compute", "sum"}};
    BOOST_TEST(problem_of("aggregate", replaced) == "/by");
    BOOST_TEST(problem_of("aggregate", {{"by", {"a", "a"}}}) == "/by");
    BOOST_TEST(problem_of("aggregate", {{"of", {"a", "a"}}}) == "/of");
    const json repeated = {{"of", "a"}, {"compute", {"sum", "sum"}}};
    BOOST_TEST(problem_of("aggregate", repeated) == "/compute");
    BOOST_TEST(problem_of("aggregate", {{"top_by", "a_sum"}}) == "/top_by");
    BOOST_TEST(problem_of("aggregate", {{"top", 1}, {"top_in", "a"}}) == "/top_in");
    BOOST_TEST(problem_of("aggregate", {{"top", -1}}) == "/top");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
