// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "model/coordinator_run.hpp"

#include "model/coordinator_lock_step.hpp"
#include "model/coordinator_test_case.hpp"
#include "model/random_coordinator_steps.hpp"
#include "model/shrinker.hpp"

#include <optional>
#include <string>

namespace sluice::model::coordination {

namespace {

std::optional<mismatch> run_listed(clean_rule rule, const steps& list)
{
    listed_steps source(list);
    return lock_step(rule).run(source);
}

std::string to_test_case(clean_rule rule, const mismatch& found)
{
    const shrinker<step> smaller([rule](const steps& list) {
        return run_listed(rule, list).has_value();
    });
    const steps least = smaller.shrink(found.taken);
    return test_case_writer(rule).write(run_listed(rule, least).value_or(found));
}

}  // namespace

trial try_random_steps(dice& random)
{
    const auto rule = static_cast<clean_rule>(random.below(3));
    random_steps source(random);
    const std::optional<mismatch> found = lock_step(rule).run(source);
    trial result{source.count(), std::nullopt};
    if (found)
        result.test_case = to_test_case(rule, *found);
    return result;
}

}  // namespace sluice::model::coordination
