// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stage_fixture.hpp"

#include <boost/test/unit_test.hpp>

namespace sluice::test {

BOOST_FIXTURE_TEST_SUITE(batch, stage_fixture)

BOOST_AUTO_TEST_CASE(elements_are_put_together_and_the_last_batch_is_shorter)
{
    BOOST_TEST(
        lines_of("batch", {{"size", 2}}, {"a", "b", "c"}) ==
        (texts{R"(["a","b"])", R"(["c"])"})
    );
}

BOOST_AUTO_TEST_CASE(what_is_put_together_stays_as_it_was_read)
{
    std::vector<element> input = to_elements({"caf\xe9"});
    input.emplace_back(json{{"price", pipeline::written_number("1.10")}});
    input.emplace_back(json{1, 2});
    const auto made = result_of("batch", {{"size", 3}}, input);
    BOOST_REQUIRE(made.size() == 1u);
    BOOST_TEST((made.front().kind() == pipeline::element_kind::value));
    BOOST_TEST((result_of("unbatch", json::object(), made) == input));
}

BOOST_AUTO_TEST_CASE(empty_input_gives_no_batch)
{
    BOOST_TEST(lines_of("batch", {{"size", 2}}) == texts());
}

BOOST_AUTO_TEST_CASE(batch_waits_until_it_is_full)
{
    const auto tested = make("batch", {{"size", 2}});
    fake_stage_context context(ctx, to_elements({"a"}));
    context.keeps_open = true;
    const auto worker = spawn([&] { return tested->work(context); });
    run();
    BOOST_TEST(context.writes == 0u);
    context.add_input(element("b"));
    run();
    BOOST_TEST(context.writes == 1u);
    context.end_input();
    run_until_done(worker);
}

BOOST_AUTO_TEST_CASE(batch_that_lingers_is_given_out_when_its_time_is_over)
{
    const auto tested = make("batch", {{"size", 3}, {"linger", "50ms"}});
    fake_stage_context context(ctx, to_elements({"a", "b"}));
    context.keeps_open = true;
    const auto worker = spawn([&] { return tested->work(context); });
    run();
    BOOST_TEST(context.writes == 0u);
    BOOST_TEST((context.lingers_for == std::chrono::milliseconds(50)));
    context.end_linger();
    run();
    BOOST_TEST(context.writes == 1u);
    BOOST_TEST(context.output.back().to_json() == json({"a", "b"}));
    context.end_input();
    run_until_done(worker);
}

BOOST_AUTO_TEST_CASE(linger_is_a_duration)
{
    BOOST_TEST(problem_of("batch", {{"size", 1}, {"linger", 5}}) == "/linger");
}

BOOST_AUTO_TEST_CASE(size_is_required_and_positive)
{
    BOOST_TEST(problem_of("batch", json::object()) == "/size");
    BOOST_TEST(problem_of("batch", {{"size", 0}}) == "/size");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
