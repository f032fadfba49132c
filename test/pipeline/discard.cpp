// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stage_fixture.hpp"

#include <boost/test/unit_test.hpp>

namespace sluice::test {

BOOST_FIXTURE_TEST_SUITE(discard, stage_fixture)

BOOST_AUTO_TEST_CASE(all_input_is_taken)
{
    const auto tested = make("discard", json::object());
    fake_stage_context context(ctx, std::vector<element>(1000));
    run_until_done(run_stage(*tested, context));
    BOOST_TEST(context.input.empty());
    BOOST_TEST(context.output.empty());
    BOOST_TEST(context.printed.text() == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
