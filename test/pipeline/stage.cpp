// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/stage.hpp>

#include "pipeline/stage_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sluice::test {

namespace stage {

using pipeline::element;

// Makes each number as many copies of itself as it says; refuses negative ones.
class repeating final : public pipeline::transform
{
public:
    void apply(element&& in, std::vector<element>& out) const override
    {
        const int times = in.value().get<int>();
        if (times < 0)
            throw std::domain_error("less than nothing");
        out.insert(out.end(), static_cast<std::size_t>(times), in);
    }
};

std::vector<element> numbers(std::initializer_list<int> values)
{
    std::vector<element> result;
    for (const int value : values)
        result.emplace_back(pipeline::json_value(value));
    return result;
}

}  // namespace stage

BOOST_FIXTURE_TEST_SUITE(stage, stage_fixture)

BOOST_AUTO_TEST_CASE(transform_gives_what_apply_appends_in_order)
{
    repeating tested;
    fake_stage_context context(ctx, numbers({2, 0, 1, 3}));
    run_until_done(run_stage(tested, context));
    BOOST_TEST((context.output == numbers({2, 2, 1, 3, 3, 3})));
}

BOOST_AUTO_TEST_CASE(transform_writes_nothing_when_nothing_comes_out)
{
    repeating tested;
    fake_stage_context context(ctx, numbers({0, 0}));
    run_until_done(run_stage(tested, context));
    BOOST_TEST(context.writes == 0U);
}

BOOST_AUTO_TEST_CASE(transform_writes_before_it_holds_more_than_two_batches)
{
    constexpr int many = 3 * static_cast<int>(pipeline::stage_context::batch_size);
    repeating tested;
    fake_stage_context context(ctx, numbers({1, many, many}));
    run_until_done(run_stage(tested, context));
    BOOST_TEST(context.output.size() == 2U * many + 1U);
    BOOST_TEST(context.writes == 2U);
}

BOOST_AUTO_TEST_CASE(what_apply_throws_leaves_the_worker)
{
    repeating tested;
    fake_stage_context context(ctx, numbers({1, -1}));
    BOOST_CHECK_THROW(run_until_done(run_stage(tested, context)), std::domain_error);
}

BOOST_AUTO_TEST_CASE(element_for_which_apply_throws_is_left_out_if_that_was_asked_for)
{
    repeating tested;
    BOOST_TEST(tested.can_skip());
    fake_stage_context context(ctx, numbers({1, -1, 2}));
    context.action = pipeline::error_action::skip;
    run_until_done(run_stage(tested, context));
    BOOST_TEST((context.output == numbers({1, 2, 2})));
    BOOST_TEST(context.reasons == std::vector<std::string>{"less than nothing"});
}

BOOST_AUTO_TEST_CASE(element_that_is_left_out_is_kept_where_it_goes_elsewhere)
{
    repeating tested;
    fake_stage_context context(ctx, numbers({-7}));
    context.action = pipeline::error_action::divert;
    run_until_done(run_stage(tested, context));
    BOOST_TEST((context.skipped == numbers({-7})));
}

BOOST_AUTO_TEST_CASE(progress_is_unknown_unless_a_stage_says_otherwise)
{
    BOOST_TEST(!repeating().progress().has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
