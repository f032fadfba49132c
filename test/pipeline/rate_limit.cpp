// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stage_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

namespace sluice::test {

BOOST_FIXTURE_TEST_SUITE(rate_limit, stage_fixture)

using clock = std::chrono::steady_clock;

BOOST_AUTO_TEST_CASE(everything_passes_in_order)
{
    const texts input = {"a", "b", "c", "d"};
    BOOST_TEST(lines_of("rate_limit", {{"per_second", 1e6}}, input) == input);
}

BOOST_AUTO_TEST_CASE(burst_passes_at_once)
{
    const texts input(100, "x");
    BOOST_TEST(
        lines_of("rate_limit", {{"per_second", 0.001}, {"burst", 100}}, input) == input
    );
}

// Only that it takes as long as it must: that it takes longer on a slow machine is no error.
BOOST_AUTO_TEST_CASE(elements_beyond_the_burst_wait)
{
    const auto begin = clock::now();
    (void)lines_of("rate_limit", {{"per_second", 1000}, {"burst", 3}}, texts(13, "x"));
    BOOST_CHECK(clock::now() - begin >= std::chrono::milliseconds(10));
}

BOOST_AUTO_TEST_CASE(limit_is_shared_by_the_workers)
{
    const auto begin = clock::now();
    const auto tested = make("rate_limit", {{"per_second", 1000}});
    fake_stage_context first(ctx, std::vector<element>(6));
    fake_stage_context second(ctx, std::vector<element>(6));
    const auto a = spawn([&] { return tested->work(first); });
    const auto b = spawn([&] { return tested->work(second); });
    run_until_done(a);
    run_until_done(b);
    BOOST_CHECK(clock::now() - begin >= std::chrono::milliseconds(11));
    BOOST_TEST(first.output.size() + second.output.size() == 12u);
}

BOOST_AUTO_TEST_CASE(what_is_due_passes_before_the_next_is_waited_for)
{
    const auto tested = make("rate_limit", {{"per_second", 0.001}});
    fake_stage_context context(ctx, std::vector<element>(2));
    const auto worker = spawn([&] { return tested->work(context); });
    run();
    BOOST_TEST(context.output.size() == 1u);
    BOOST_TEST(!worker.done());
    leave_waiting();
}

BOOST_AUTO_TEST_CASE(limit_is_what_the_stage_holds_itself_to)
{
    BOOST_TEST(
        make("rate_limit", {{"per_second", 2.5}})->own_limit() == "\"per_second\": 2.5"
    );
    BOOST_TEST(make("unbatch", json::object())->own_limit() == "");
}

BOOST_AUTO_TEST_CASE(impossible_limits_are_problems)
{
    BOOST_TEST(problem_of("rate_limit", {{"per_second", 0}}) == "/per_second");
    BOOST_TEST(problem_of("rate_limit", {{"per_second", 1}, {"burst", 0}}) == "/burst");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
