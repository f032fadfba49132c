// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "model/runner_run.hpp"

#include "model/random_runner_steps.hpp"
#include "model/runner_lock_step.hpp"
#include "model/runner_test_case.hpp"
#include "model/shrinker.hpp"

#include <optional>
#include <string>

namespace sluice::model::running {

namespace {

std::optional<mismatch> run_listed(const cast& all, const steps& list)
{
    listed_steps source(list);
    return lock_step(all).run(source);
}

std::string to_test_case(const cast& all, const mismatch& found)
{
    const shrinker<step> smaller([&all](const steps& list) {
        return run_listed(all, list).has_value();
    });
    const steps least = smaller.shrink(found.taken);
    return to_text(all, run_listed(all, least).value_or(found));
}

}  // namespace

trial try_random_steps(dice& random)
{
    const cast all = random_cast(random);
    random_steps source(random);
    const std::optional<mismatch> found = lock_step(all).run(source);
    trial result{source.count(), std::nullopt};
    if (found)
        result.test_case = to_test_case(all, *found);
    return result;
}

}  // namespace sluice::model::running
