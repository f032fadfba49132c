// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/worker_function_stage.hpp"

#include "pipeline/stage_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <utility>
#include <vector>

namespace sluice::test {

namespace worker_function_stage {

class passing final : public pipeline::worker_function_stage
{
public:
    passing() { make_first_function(); }

    mutable int made = 0;

private:
    [[nodiscard]] function make_function() const override
    {
        ++made;
        return [](pipeline::element&& in, std::vector<pipeline::element>& out) {
            out.push_back(std::move(in));
        };
    }
};

}  // namespace worker_function_stage

BOOST_FIXTURE_TEST_SUITE(worker_function_stage, stage_fixture)

BOOST_AUTO_TEST_CASE(function_that_found_mistakes_is_that_of_the_first_worker)
{
    worker_function_stage::passing tested;
    BOOST_TEST(tested.made == 1);
    for (const int worker : {1, 2}) {
        fake_stage_context context(ctx, to_elements({"a"}));
        run_until_done(run_stage(tested, context));
        BOOST_TEST(context.output.size() == 1U);
        BOOST_TEST(tested.made == worker);
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
