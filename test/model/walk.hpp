// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/basic_step_source.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sluice::model {

// Why: all small worlds are walked through in the same way.

/// One way through a world: as prescribed at first, then on to states that were not seen.
/**
 * `World` names its `step_type` and `model_type`; its `budget_type`, which is what has not
 * happened yet; a `choice_type(model, budget).list()`, every step that may come next; and a
 * `key_type(model, budget).take()`, a text that is the same for states with the same future.
 */
template <class World>
class walk final
    : public basic_step_source<typename World::step_type, typename World::model_type>
{
    using step_type = typename World::step_type;
    using path_type = std::vector<step_type>;
    using model_type = typename World::model_type;
    using budget_type = typename World::budget_type;

public:
    walk(
        path_type path,
        const budget_type& all,
        std::unordered_set<std::string>& seen,
        std::vector<path_type>& other_paths
    )
        : path_(std::move(path)), left_(all), seen_(seen), other_paths_(other_paths)
    {
    }

    [[nodiscard]] std::optional<step_type> next(const model_type& model) override
    {
        if (at_ == path_.size() && !extend(model))
            return std::nullopt;
        const step_type s = path_[at_++];
        left_.spend(s);
        return s;
    }

private:
    // The first of all next steps is taken now, the others later.
    bool extend(const model_type& model)
    {
        if (!seen_.insert(typename World::key_type(model, left_).take()).second)
            return false;
        const path_type candidates = typename World::choice_type(model, left_).list();
        if (candidates.empty())
            return false;
        for (auto other = candidates.begin() + 1; other != candidates.end(); ++other) {
            other_paths_.push_back(path_);
            other_paths_.back().push_back(*other);
        }
        path_.push_back(candidates.front());
        return true;
    }

    path_type path_;
    std::size_t at_ = 0;
    budget_type left_;
    std::unordered_set<std::string>& seen_;
    std::vector<path_type>& other_paths_;
};

/// How much of a world was seen.
struct extent
{
    std::size_t states = 0;  // different ones, according to the model
    std::size_t paths = 0;   // through them, so that each step from each is on one

    extent& operator+=(const extent& other) noexcept
    {
        states += other.states;
        paths += other.paths;
        return *this;
    }
};

/// Takes every way through a world, until `agrees(walk)` says that one does not as the model.
template <class World, class Agrees>
extent walk_everywhere(const typename World::budget_type& all, Agrees agrees)
{
    using path_type = std::vector<typename World::step_type>;
    extent seen_so_far;
    std::unordered_set<std::string> seen;
    std::vector<path_type> paths{{}};
    bool goes_on = true;
    while (!paths.empty() && goes_on) {
        walk<World> path(std::move(paths.back()), all, seen, paths);
        paths.pop_back();
        goes_on = agrees(path);
        ++seen_so_far.paths;
    }
    seen_so_far.states = seen.size();
    return seen_so_far;
}

}  // namespace sluice::model
