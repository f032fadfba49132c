// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/step.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace sluice::model {

// Why: forty random steps that fail say little; the three of them that matter say it all.

/// Leaves out and simplifies steps for as long as the rest still fails.
class shrinker
{
public:
    using predicate = std::function<bool(const steps&)>;

    explicit shrinker(predicate fails) : fails_(std::move(fails)) {}

    /// What can be made no smaller by one or two changes. Two, because a dequeue often goes
    /// only together with the row that it takes.
    [[nodiscard]] steps shrink(steps list) const
    {
        while (std::optional<steps> smaller = find_smaller(list, 2))
            list = std::move(*smaller);
        return list;
    }

private:
    [[nodiscard]] std::optional<steps> find_smaller(const steps& list, int changes) const
    {
        std::vector<steps> candidates = smaller_by_one_change(list);
        for (steps& candidate : candidates)
            if (fails_(candidate))
                return std::move(candidate);
        if (changes > 1)
            for (const steps& candidate : candidates)
                if (std::optional<steps> found = find_smaller(candidate, changes - 1))
                    return found;
        return std::nullopt;
    }

    // From the end on, because the end depends on the beginning.
    [[nodiscard]] static std::vector<steps> smaller_by_one_change(const steps& list)
    {
        std::vector<steps> result;
        for (std::size_t i = list.size(); i-- > 0;) {
            result.push_back(list);
            result.back().erase(result.back().begin() + static_cast<std::ptrdiff_t>(i));
        }
        for (std::size_t i = list.size(); i-- > 0;)
            for (const step& simpler : simpler_than(list[i])) {
                result.push_back(list);
                result.back()[i] = simpler;
            }
        return result;
    }

    predicate fails_;
};

}  // namespace sluice::model
