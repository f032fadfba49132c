// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/select_lock_step.hpp"
#include "model/select_model.hpp"
#include "model/select_step.hpp"
#include "soak/dice.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace sluice::model::selecting {

// Why: steps that are likely to get somewhere.

using sluice::soak::dice;

/// The life of two queues: up to 48 steps.
class random_steps final : public step_source
{
public:
    explicit random_steps(dice& random) : random_(random), length_(8 + random.below(41))
    {
    }

    /// How many were asked for.
    [[nodiscard]] std::size_t count() const { return count_; }

    [[nodiscard]] std::optional<step> next(const select_model& model) override
    {
        if (count_ == length_)
            return std::nullopt;
        ++count_;
        if (random_.once_in(24))
            return end();
        if (!random_.once_in(3))
            if (std::optional<step> started = start(model))
                return started;
        return affect(model);
    }

private:
    // A queue that was destroyed nobody can use.
    std::optional<step> start(const select_model& model)
    {
        step s;
        s.is_select = random_.once_in(2);
        s.how = random_manner(s.is_select);
        s.context = static_cast<int>(random_.below(3));
        for (std::size_t n = s.is_select ? 1 + random_.below(3) : 1; n > 0; --n) {
            s.branches.push_back(random_branch(s.is_select));
            if (model.queue(s.branches.back().queue).is_shut_down())
                return std::nullopt;
        }
        s.id = ++last_id_;
        return s;
    }

    branch random_branch(bool of_select)
    {
        branch b{.queue = int(random_.below(2)), .produces = random_.once_in(2)};
        if (random_.once_in(3))
            b.count = 1 + random_.below(3);
        if (b.produces) {
            if (of_select)  // part of a larger one could be in when another is taken
                b.count = 1;
            b.first = last_row_ + 1;
            last_row_ += static_cast<int>(b.count);
        } else
            b.kind = static_cast<demand>(random_.below(4));
        if (b.kind == demand::one && !b.produces)
            b.count = 1;
        return b;
    }

    manner random_manner(bool of_select)
    {
        constexpr manner kinds[] = {
            manner::at_once,
            manner::impatient,
            manner::shortest,
            manner::expired,
            manner::cancelled
        };
        if (random_.once_in(2))
            return manner::posted;
        if (!of_select)
            return random_.once_in(2) ? manner::attempt : manner::at_once;
        return kinds[random_.below(5)];
    }

    // Of a queue, or of a context.
    step end()
    {
        constexpr action kinds[] =
            {action::close, action::cancel_pending, action::shut_down, action::abandon};
        return {
            .what = kinds[random_.below(4)],
            .id = 1 + int(random_.below(2)),
            .queue = int(random_.below(2))
        };
    }

    // Something for an operation that waits, or whose delivery is on its way.
    std::optional<step> affect(const select_model& model)
    {
        constexpr action kinds[] = {
            action::cancel,
            action::time_out,
            action::forget,
            action::deliver,
            action::deliver,
            action::deliver
        };
        const action what = kinds[random_.below(6)];
        std::vector<int> candidates;
        for (const auto& [id, o] : model.operations())
            if (o.is_pending() &&
                (what != action::deliver || o.now == select_model::state::decided))
                candidates.push_back(id);
        if (candidates.empty())
            return start(model);
        return step{.what = what, .id = candidates[random_.below(candidates.size())]};
    }

    dice& random_;
    const std::size_t length_;
    std::size_t count_ = 0;
    int last_id_ = 0;
    int last_row_ = 0;
};

}  // namespace sluice::model::selecting
