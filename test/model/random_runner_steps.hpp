// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/runner_lock_step.hpp"
#include "model/runner_model.hpp"
#include "model/runner_step.hpp"
#include "soak/dice.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace sluice::model::running {

// Why: steps that are likely to get somewhere. Purely random ones would mostly find nothing
// that runs.

using sluice::soak::dice;

/// Two runners, of up to three workers each.
[[nodiscard]] inline cast random_cast(dice& random)
{
    cast all(2);
    for (std::vector<manner>& kinds : all)
        for (std::size_t i = 1 + random.below(3); i != 0; --i)
            kinds.push_back(static_cast<manner>(random.below(3)));
    return all;
}

/// The life of a few runners: up to 64 steps.
class random_steps final : public step_source
{
public:
    explicit random_steps(dice& random) : random_(random), length_(8 + random.below(57))
    {
    }

    /// How many were asked for.
    [[nodiscard]] std::size_t count() const { return count_; }

    [[nodiscard]] std::optional<step> next(const runner_model& model) override
    {
        if (count_ == length_)
            return std::nullopt;
        ++count_;
        const step s = any();
        if (s.what == action::finish || s.what == action::forget)
            return for_one_that_waits(model, s);
        return model.makes_sense(s) ? s : step{.what = action::run};
    }

private:
    step any()
    {
        switch (random_.below(16)) {
        case 0:
        case 1:
            return {.what = action::start, .runner = pick(), .scope = pick()};
        case 2:
            return {.what = action::start_alone, .runner = pick()};
        case 3:
            return control();
        case 4:
            return random_.once_in(4) ? close() : control();
        case 5:
            return {.what = random_.once_in(4) ? action::forget : action::finish};
        case 6:
        case 7:
        case 8:
        case 9:
            return {.what = action::run};
        default:
            return {.what = action::finish};
        }
    }

    step control()
    {
        switch (random_.below(8)) {
        case 0:
        case 1:
            return {.what = action::request_stop, .scope = pick()};
        case 2:
            return {
                .what = action::request_stop,
                .scope = pick(),
                .why = random_.once_in(2) ? reason::broken : reason::harmless,
                .error = ++last_error_
            };
        case 3:
            if (random_.once_in(4))
                return {.what = action::lose_context};
            if (random_.once_in(4))
                return {.what = action::destroy_scope, .scope = pick()};
            [[fallthrough]];
        case 4:
            if (random_.once_in(4))
                return {.what = action::destroy_runner, .runner = pick()};
            [[fallthrough]];
        default:
            return {.what = action::clear_stop, .scope = pick()};
        }
    }

    step close()
    {
        step s{.what = action::close, .runner = pick()};
        s.how = static_cast<closing>(random_.below(3));
        s.error = s.how == closing::with_cause ? ++last_error_ : 0;
        return s;
    }

    step for_one_that_waits(const runner_model& model, step s)
    {
        std::vector<step> candidates;
        for (const runner& r : model.runners()) {
            for (s.worker = 0; std::size_t(s.worker) != r.workers.size(); ++s.worker)
                if (model.makes_sense(s))
                    candidates.push_back(s);
            ++s.runner;
        }
        if (candidates.empty())
            return {.what = action::run};
        s = candidates[random_.below(candidates.size())];
        return s.what == action::finish ? outcome_of(s) : s;
    }

    // More often than not there is more input.
    step outcome_of(step s)
    {
        if (!random_.once_in(3)) {
            s.more = static_cast<int>(random_.below(4));
            return s;
        }
        s.why = static_cast<reason>(1 + random_.below(6));
        s.error = ++last_error_;
        return s;
    }

    int pick() { return static_cast<int>(random_.below(2)); }

    dice& random_;
    const std::size_t length_;
    std::size_t count_ = 0;
    int last_error_ = 0;
};

}  // namespace sluice::model::running
