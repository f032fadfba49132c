// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/basic_step_source.hpp"
#include "model/comparison.hpp"
#include "model/real_runner.hpp"
#include "model/runner_model.hpp"
#include "model/runner_step.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sluice::model::running {

// Why: model and runners take each step together, and after each of them everything that can
// be seen of the two must be the same.

using step_source = basic_step_source<step, runner_model>;
using listed_steps = basic_listed_steps<step, runner_model>;
using mismatch = basic_mismatch<step>;

class lock_step
{
public:
    explicit lock_step(const cast& all) : model_(all), real_(all) {}

    /// Takes all steps, unless runners and model differ before.
    std::optional<mismatch> run(step_source& source)
    {
        return run_in_step(*this, source);
    }

    [[nodiscard]] const runner_model& model() const { return model_; }

    /// What has become senseless because earlier steps were left out does nothing.
    void apply(const step& s)
    {
        if (!model_.makes_sense(s))
            return;
        model_.apply(s);
        real_.apply(s);
    }

    [[nodiscard]] std::string difference()
    {
        comparison found;
        for (std::size_t i = 0; i != model_.runners().size(); ++i)
            compare(static_cast<int>(i), model_.runners()[i], found);
        for (std::size_t i = 0; i != model_.scopes().size(); ++i)
            if (model_.scopes()[i].exists)
                compare(static_cast<int>(i), model_.scopes()[i], found);
        return found.difference();
    }

private:
    void compare(int number, const runner& r, comparison& found)
    {
        const std::string of = "runner " + std::to_string(number) + ": ";
        found.compare(of + "what happened", real_.events(number), model_.events(number));
        if (r.exists) {
            found.compare(
                of + "running",
                int(real_.is_running(number)),
                int(r.is_running())
            );
            found.compare(of + "failures", real_.failures_of(number), r.failures);
        }
        for (std::size_t i = 0; i != r.workers.size() && !model_.is_unsettled(); ++i) {
            const int w = static_cast<int>(i);
            const bool waits = r.workers[i].now == worker::state::waits;
            found.compare(
                of + "worker " + std::to_string(w) + " waits",
                int(real_.is_waiting({number, w})),
                int(waits)
            );
        }
    }

    void compare(int number, const scope& c, comparison& found)
    {
        const std::string of = "coordinator " + std::to_string(number) + ": ";
        std::vector<std::string> tasks;
        for (const worker_id id : c.tasks)
            tasks.push_back(name(id));
        found.compare(of + "stopped", int(real_.is_stopped(number)), int(c.stopped));
        found.compare(of + "errors", real_.errors_of(number), c.errors);
        found.compare(of + "tasks", real_.tasks_of(number), tasks);
    }

    runner_model model_;
    real_runners real_;
};

}  // namespace sluice::model::running
