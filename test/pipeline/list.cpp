// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stage_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace sluice::test {

BOOST_FIXTURE_TEST_SUITE(list, stage_fixture)

BOOST_AUTO_TEST_CASE(strings_become_texts_and_the_rest_values)
{
    const auto result = result_of("list", {{"items", {"x", 1, {{"a", "b"}}}}});
    BOOST_REQUIRE(result.size() == 3u);
    BOOST_TEST(result[0].text() == "x");
    BOOST_TEST(result[1].to_json() == json(1));
    BOOST_TEST(result[2].to_json() == (json{{"a", "b"}}));
}

BOOST_AUTO_TEST_CASE(empty_list_gives_nothing)
{
    BOOST_TEST(lines_of("list", {{"items", json::array()}, {"epochs", 5}}) == texts());
}

BOOST_AUTO_TEST_CASE(epochs_give_everything_again)
{
    BOOST_TEST(
        lines_of("list", {{"items", {"a", "b"}}, {"epochs", 2}}) ==
        (texts{"a", "b", "a", "b"})
    );
}

BOOST_AUTO_TEST_CASE(shuffled_list_is_all_there)
{
    json items = json::array();
    for (int i = 0; i < 100; ++i)
        items.push_back(std::to_string(100 + i));
    auto result = lines_of("list", {{"items", items}, {"shuffle", true}, {"seed", 1}});
    BOOST_TEST(!std::ranges::is_sorted(result));
    std::ranges::sort(result);
    BOOST_TEST(result == items.get<texts>());
}

BOOST_AUTO_TEST_CASE(stopped_source_ends)
{
    const auto tested = make("list", {{"items", {1, 2}}, {"epochs", 1'000'000'000}});
    fake_stage_context context(ctx);
    context.stop_after_writes = 3;
    run_until_done(tested->work(context));
    BOOST_TEST(context.output.size() == 6u);
}

BOOST_AUTO_TEST_CASE(list_that_is_no_array_is_a_problem)
{
    BOOST_TEST(problem_of("list", {{"items", {{"a", 1}}}}) == "/items");
    BOOST_TEST(problem_of("list", {{"items", "\xff"}}) == "/items");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
