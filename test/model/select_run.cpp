// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "model/select_run.hpp"

#include "model/random_select_steps.hpp"
#include "model/select_lock_step.hpp"
#include "model/select_small_world.hpp"
#include "model/select_test_case.hpp"
#include "model/shrinker.hpp"

#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sluice::model::selecting {

namespace {

std::optional<mismatch> run_listed(const capacities& queues, const steps& list)
{
    listed_steps source(list);
    return lock_step(queues).run(source);
}

std::string to_test_case(const capacities& queues, const mismatch& found)
{
    const shrinker<step> smaller([&queues](const steps& list) {
        return run_listed(queues, list).has_value();
    });
    const steps least = smaller.shrink(found.taken);
    return test_case_writer(queues).write(run_listed(queues, least).value_or(found));
}

}  // namespace

trial try_random_steps(dice& random)
{
    const capacities queues{random.below(3), random.below(3)};
    random_steps source(random);
    const std::optional<mismatch> found = lock_step(queues).run(source);
    trial result{source.count(), std::nullopt};
    if (found)
        result.test_case = to_test_case(queues, *found);
    return result;
}

exploration explore_small_world(const capacities& queues, int selects)
{
    exploration result;
    const budget all{.selects = selects};
    result.seen = walk_everywhere<world>(all, [&](walk<world>& path) {
        if (const std::optional<mismatch> found = lock_step(queues).run(path))
            result.test_case = to_test_case(queues, *found);
        return !result.test_case;
    });
    return result;
}

}  // namespace sluice::model::selecting
