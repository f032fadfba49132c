// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/basic_step_source.hpp"
#include "model/comparison.hpp"
#include "model/coordinator_model.hpp"
#include "model/coordinator_step.hpp"
#include "model/real_coordinator.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sluice::model::coordination {

// Why: model and coordinators take each step together, and after each of them everything
// that can be seen of the two must be the same.

using step_source = basic_step_source<step, coordinator_model>;
using listed_steps = basic_listed_steps<step, coordinator_model>;
using mismatch = basic_mismatch<step>;

class lock_step
{
public:
    explicit lock_step(clean_rule rule) : model_(rule), real_(rule) {}

    /// Takes all steps, unless coordinators and model differ before.
    std::optional<mismatch> run(step_source& source)
    {
        return run_in_step(*this, source);
    }

    [[nodiscard]] const coordinator_model& model() const { return model_; }

    /// What has become senseless because earlier steps were left out does nothing.
    void apply(const step& s)
    {
        if (!makes_sense(s))
            return;
        model_.apply(s);
        real_.apply(s);
    }

    [[nodiscard]] std::string difference()
    {
        comparison found;
        found.compare("told", real_.last_news().told, model_.told());
        found.compare("abandoned", real_.last_news().abandoned, model_.abandoned());
        found.compare("what happened", real_.last_news().events, model_.events());
        for (const auto& [id, c] : model_.scopes())
            if (c.exists)
                compare(id, c, found);
        for (const auto& [id, o] : model_.operations())
            compare(id, o, found);
        return found.difference();
    }

private:
    // In the contract of the coordinator it is the user who sees to that.
    [[nodiscard]] bool makes_sense(const step& s) const
    {
        const auto& scopes = model_.scopes();
        switch (s.what) {
        case action::end_task:
        case action::lose_queue:
        case action::cancel:
        case action::time_out:
        case action::deliver:
        case action::forget:
        case action::abandon:
        case action::pass_time:
            return true;
        default:
            return scopes.contains(s.scope) && scopes.at(s.scope).exists;
        }
    }

    void compare(int id, const scope& c, comparison& found)
    {
        const std::string of = "coordinator " + std::to_string(id) + ": ";
        const int first = c.errors.empty() ? 0 : c.errors.front();
        found.compare(of + "stopped", int(real_.is_stopped(id)), int(c.stopped));
        found.compare(of + "token", int(real_.has_stopped_token(id)), int(c.stopped));
        found.compare(of + "joined", int(real_.is_joined(id)), int(c.joined));
        found.compare(of + "errors", real_.errors_of(id), c.errors);
        found.compare(of + "first error", real_.first_error_of(id), first);
        found.compare(of + "tasks", real_.tasks_of(id), model_.tasks_of(id));
        found.compare(
            of + "end of a grace period",
            real_.next_due(id),
            model_.next_due(id)
        );
    }

    void compare(int id, const operation& expected, comparison& found)
    {
        const operation seen = real_.look(id);
        if (expected.now == operation::state::forgotten)
            return;
        const std::string of = "operation " + std::to_string(id) + ": ";
        found.compare(of + "state", int(seen.now), int(expected.now));
        found.compare(of + "outcome", seen.outcome, expected.outcome);
    }

    coordinator_model model_;
    real_coordinator real_;
};

}  // namespace sluice::model::coordination
