// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stage_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace sluice::test {

struct count_fixture : stage_fixture
{
    // What a count prints.
    std::string print(const json& options, std::vector<element> input)
    {
        const auto tested = make("count", options);
        fake_stage_context context(ctx, std::move(input));
        context.with_output = false;
        run_until_done(run_stage(*tested, context));
        return context.printed.text();
    }

    // Words in an order without order: word i comes i % 3 + 1 times.
    static std::vector<element> many_words(std::size_t count)
    {
        std::vector<element> words;
        for (std::size_t times = 1; times <= 3; ++times)
            for (std::size_t i = 0; i < count; ++i)
                if (const std::size_t word = i * 7'919 % count; word % 3 + 1 >= times)
                    words.emplace_back(fmt::format("the word {:06}", word));
        return words;
    }

    // What a count of many_words() prints.
    static std::string counts_of_many(std::size_t count, std::size_t top)
    {
        std::string lines;
        for (std::size_t times = 3; times > 0; --times)
            for (std::size_t word = times - 1; word < count && top > 0; word += 3, --top)
                lines += fmt::format("{}\tthe word {:06}\n", times, word);
        return lines;
    }
};

BOOST_FIXTURE_TEST_SUITE(count, count_fixture)

const texts six_words = {"b", "c", "a", "b", "c", "d"};

BOOST_AUTO_TEST_CASE(frequent_ones_are_printed_first_then_by_text)
{
    BOOST_TEST(
        print(json::object(), to_elements(six_words)) == "2\tb\n2\tc\n1\ta\n1\td\n"
    );
}

BOOST_AUTO_TEST_CASE(top_limits_what_is_printed)
{
    BOOST_TEST(print({{"top", 3}}, to_elements(six_words)) == "2\tb\n2\tc\n1\ta\n");
    BOOST_TEST(print({{"top", 99}}, to_elements({"a"})) == "1\ta\n");
}

BOOST_AUTO_TEST_CASE(empty_input_prints_nothing)
{
    BOOST_TEST(print({{"top", 3}}, {}) == "");
}

BOOST_AUTO_TEST_CASE(values_are_counted_by_what_they_look_like)
{
    std::vector<element> input;
    for (const json& each : {json(1), json("x"), json{{"n", 1}}, json(1)})
        input.emplace_back(each);
    BOOST_TEST(print(json::object(), std::move(input)) == "2\t1\n1\tx\n1\t{\"n\":1}\n");
}

BOOST_AUTO_TEST_CASE(field_is_counted_instead_of_the_value)
{
    std::vector<element> input;
    input.emplace_back(json{{"host", "a"}, {"n", {{"x", 1}}}});
    input.emplace_back(json{{"host", "a"}, {"n", {{"x", 2}}}});
    input.emplace_back(json{{"n", {{"x", 2}}}});
    BOOST_TEST(print({{"field", "host"}}, input) == "2\ta\n1\tnull\n");
    BOOST_TEST(print({{"field", "/n/x"}}, input) == "2\t2\n1\t1\n");
}

BOOST_AUTO_TEST_CASE(field_of_a_text_is_an_error)
{
    const auto error = error_of("count", {{"field", "host"}}, to_elements({"a"}));
    BOOST_TEST(holds(error, "takes a value, but got the text a"), error);
}

BOOST_AUTO_TEST_CASE(with_an_output_the_counts_are_values)
{
    const auto result = result_of("count", {{"top", 1}}, to_elements(six_words));
    BOOST_REQUIRE(result.size() == 1u);
    BOOST_TEST(result.front().to_json() == (json{{"text", "b"}, {"count", 2}}));
}

BOOST_AUTO_TEST_CASE(counts_of_all_workers_are_added)
{
    const auto tested = make("count", json::object());
    for (int worker = 0; worker < 3; ++worker) {
        fake_stage_context context(ctx, to_elements(six_words));
        run_until_done(tested->work(context));
    }
    fake_stage_context last(ctx);
    last.with_output = false;
    run_until_done(tested->finish(last));
    BOOST_TEST(last.printed.text() == "6\tb\n6\tc\n3\ta\n3\td\n");
}

BOOST_AUTO_TEST_CASE(more_than_a_batch_of_counts_is_given_in_order)
{
    std::vector<element> input;
    for (int i = 1000; i < 2000; ++i)
        input.emplace_back(std::to_string(i));
    const auto result = result_of("count", json::object(), std::move(input));
    BOOST_REQUIRE(result.size() == 1000u);
    BOOST_TEST(result.back().to_json().at("text") == "1999");
}

BOOST_AUTO_TEST_CASE(numbers_are_counted_as_they_are_written)
{
    const std::vector<element> input{
        element(pipeline::written_number("1.10")),
        element(json(1.1)),
        element(pipeline::written_number("1.10"))
    };
    BOOST_TEST(print(json::object(), input) == "2\t1.10\n1\t1.1\n");
}

BOOST_AUTO_TEST_CASE(different_texts_never_become_one_unless_asked_for)
{
    std::vector<element> input;
    for (const char* text : {"\xff", "\xfe"})
        input.emplace_back(json::array({text}));
    BOOST_TEST(holds(error_of("count", json::object(), input), "is not UTF-8"));
    BOOST_TEST(print({{"invalid_utf8", "replace"}}, input) == "2\t[\"\xef\xbf\xbd\"]\n");
}

BOOST_AUTO_TEST_CASE(newline_in_a_text_is_refused_or_escaped_where_it_is_printed)
{
    const auto input = to_elements({"a\nb"});
    BOOST_CHECK_THROW(print(json::object(), input), std::runtime_error);
    BOOST_TEST(print({{"newlines", "escape"}}, input) == "1\ta\\nb\n");
    BOOST_TEST(result_of("count", json::object(), input).size() == 1u);
}

// While it is counted, and not at the end of the run, where the table would be lost.
BOOST_AUTO_TEST_CASE(element_that_cannot_be_printed_can_be_left_out)
{
    const auto tested = make("count", json::object());
    fake_stage_context context(ctx, to_elements({"a", "a\nb", "a"}));
    context.with_output = false;
    context.action = pipeline::error_action::skip;
    run_until_done(run_stage(*tested, context));
    BOOST_TEST(context.printed.text() == "2\ta\n");
    BOOST_TEST_REQUIRE(context.reasons.size() == 1U);
    BOOST_TEST(holds(context.reasons.front(), "would become several lines"));
}

BOOST_AUTO_TEST_CASE(wrong_field_is_a_problem)
{
    BOOST_TEST(problem_of("count", {{"field", ""}}) == "/field");
    BOOST_TEST(problem_of("count", {{"field", "/a~2"}}) == "/field");
}

// More of these words than fit into 1 MiB.
constexpr std::size_t many = 15'000;

BOOST_AUTO_TEST_CASE(words_that_fit_into_memory_are_all_counted)
{
    const auto words = many_words(many);
    BOOST_TEST((print({{"memory", "3 MiB"}}, words) == counts_of_many(many, many)));
    BOOST_TEST(print({{"top", 7}}, words) == counts_of_many(many, 7));
    const auto values = result_of("count", json::object(), words);
    BOOST_TEST_REQUIRE(values.size() == many);
    BOOST_TEST(
        values.front().to_json() == (json{{"text", "the word 000002"}, {"count", 3}})
    );
    BOOST_TEST(
        values.back().to_json() == (json{{"text", "the word 014997"}, {"count", 1}})
    );
}

BOOST_AUTO_TEST_CASE(more_words_than_fit_into_memory_are_an_error)
{
    const auto error =
        error_of("count", {{"memory", "1 MiB"}, {"top", 1}}, many_words(many));
    BOOST_TEST(holds(error, " keys takes more than its \"memory\", 1 MiB; "), error);
}

BOOST_AUTO_TEST_CASE(workers_share_the_memory)
{
    const auto words = many_words(many);
    const auto run = [&](const json& options) {
        const auto tested = make("count", options);
        for (std::size_t worker = 0; worker < 3; ++worker) {
            std::vector<element> input;
            for (std::size_t i = worker; i < words.size(); i += 3)
                input.push_back(words[i]);
            fake_stage_context context(ctx, std::move(input));
            run_until_done(tested->work(context));
        }
        fake_stage_context last(ctx);
        last.with_output = false;
        run_until_done(tested->finish(last));
        return last.printed.text();
    };
    BOOST_TEST(run({{"memory", "8 MiB"}, {"top", 9}}) == counts_of_many(many, 9));
    BOOST_CHECK_THROW(run({{"memory", "2 MiB"}, {"top", 9}}), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(memory_that_is_no_size_is_a_problem)
{
    BOOST_TEST(problem_of("count", {{"memory", "1 mib"}}) == "/memory");
}

BOOST_AUTO_TEST_CASE(stop_is_heeded_between_any_two_steps)
{
    std::vector<element> words;
    for (int i = 0; i < 20'000; ++i)
        words.emplace_back(fmt::format("word {}", i));
    BOOST_TEST(ends_by_cancellation("count", {{"top", 600}}, words, true) > 4U);
    BOOST_TEST(ends_by_cancellation("count", json::object(), words, false) > 4U);
}

BOOST_AUTO_TEST_CASE(element_that_cannot_be_counted_can_be_left_out)
{
    std::vector<element> input = to_elements({"a"});
    input.emplace_back(json{{"a", 1}});
    const auto skipped = skipped_by("count", {{"field", "a"}}, std::move(input));
    BOOST_TEST_REQUIRE(skipped.size() == 1U);
    BOOST_TEST(skipped.front().starts_with("a: \"field\" takes a value"));
}

BOOST_AUTO_TEST_CASE(arrays_count_as_a_whole)
{
    std::vector<element> input = to_elements({"a"});
    input.emplace_back(json{"a", "b"});
    input.emplace_back(json{"a", "b"});
    BOOST_TEST(print(json::object(), std::move(input)) == "2\t[\"a\",\"b\"]\n1\ta\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
