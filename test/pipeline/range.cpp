// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stage_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace sluice::test {

BOOST_FIXTURE_TEST_SUITE(range, stage_fixture)

BOOST_AUTO_TEST_CASE(numbers_go_up_to_the_last)
{
    BOOST_TEST(lines_of("range", {{"from", 1}, {"to", 3}}) == (texts{"1", "2", "3"}));
    BOOST_TEST(lines_of("range", {{"to", 0}}) == (texts{"0"}));
}

BOOST_AUTO_TEST_CASE(steps_may_miss_the_last_number)
{
    BOOST_TEST(lines_of("range", {{"to", 5}, {"step", 2}}) == (texts{"0", "2", "4"}));
}

BOOST_AUTO_TEST_CASE(negative_step_counts_downwards)
{
    BOOST_TEST(
        lines_of("range", {{"from", 1}, {"to", -3}, {"step", -2}}) ==
        (texts{"1", "-1", "-3"})
    );
}

BOOST_AUTO_TEST_CASE(wrong_direction_gives_nothing)
{
    BOOST_TEST(lines_of("range", {{"from", 1}, {"to", 0}}) == texts());
    BOOST_TEST(lines_of("range", {{"to", 1}, {"step", -1}, {"epochs", 3}}) == texts());
}

BOOST_AUTO_TEST_CASE(largest_numbers_do_not_overflow)
{
    using limits = std::numeric_limits<std::int64_t>;
    const json options =
        {{"from", limits::min()}, {"to", limits::max()}, {"step", limits::max()}};
    BOOST_TEST(
        lines_of("range", options) ==
        (texts{std::to_string(limits::min()), "-1", std::to_string(limits::max() - 1)})
    );
}

BOOST_AUTO_TEST_CASE(epochs_give_everything_again)
{
    BOOST_TEST(
        lines_of("range", {{"to", 1}, {"epochs", 2}}) == (texts{"0", "1", "0", "1"})
    );
}

BOOST_AUTO_TEST_CASE(shuffled_epochs_have_all_numbers_in_orders_of_the_seed)
{
    const json options = {{"to", 99}, {"epochs", 2}, {"shuffle", true}, {"seed", 3}};
    auto first = lines_of("range", options);
    BOOST_TEST(first == lines_of("range", options));
    BOOST_TEST(!std::equal(first.begin(), first.begin() + 100, first.begin() + 100));
    std::sort(first.begin(), first.begin() + 100);
    std::sort(first.begin() + 100, first.end());
    BOOST_TEST(std::equal(first.begin(), first.begin() + 100, first.begin() + 100));
    BOOST_TEST(
        (std::adjacent_find(first.begin(), first.begin() + 100) == first.begin() + 100)
    );
}

BOOST_AUTO_TEST_CASE(stopped_source_ends)
{
    const auto tested = make("range", {{"to", 1'000'000'000}});
    fake_stage_context context(ctx);
    context.stop_after_writes = 2;
    run_until_done(tested->work(context));
    BOOST_TEST(context.output.size() == 2 * pipeline::stage_context::batch_size);
    BOOST_TEST(tested->progress().value() < 1e-5);
}

BOOST_AUTO_TEST_CASE(workers_share_the_numbers)
{
    const auto tested = make("range", {{"to", 999}});
    fake_stage_context first(ctx);
    first.stop_after_writes = 1;
    fake_stage_context second(ctx);
    run_until_done(tested->work(first));
    run_until_done(tested->work(second));
    BOOST_TEST(first.output.size() + second.output.size() == 1000u);
    BOOST_TEST(second.output.front().value() == pipeline::stage_context::batch_size);
    BOOST_TEST(tested->progress().value() == 1.0);
}

BOOST_AUTO_TEST_CASE(impossible_options_are_problems)
{
    BOOST_TEST(problem_of("range", json::object()) == "/to");
    BOOST_TEST(problem_of("range", {{"to", 9}, {"step", 0}}) == "/step");
    BOOST_TEST(
        problem_of("range", {{"to", 9'000'000'000}, {"shuffle", true}}) == "/shuffle"
    );
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
