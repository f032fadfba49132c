// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/queue_model.hpp"
#include "model/queue_settings.hpp"
#include "model/step.hpp"
#include "model/step_source.hpp"
#include "soak/dice.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace sluice::model {

// Why: steps that are likely to get somewhere. Purely random ones would mostly cancel what
// is over and fill a queue without consumers.

using sluice::soak::dice;

[[nodiscard]] inline queue_settings random_settings(dice& random)
{
    queue_settings settings;
    settings.kind = static_cast<queue_kind>(random.below(4));
    const bool has_order = settings.kind == queue_kind::shuffle ||
                           settings.kind == queue_kind::priority;
    settings.capacity = has_order ? 1 + random.below(4) : random.below(5);
    if (settings.kind == queue_kind::shuffle) {
        settings.min_after_dequeue = random.below(settings.capacity);
        settings.seed = random.below(1000);
    }
    if (random.below(2) == 0)
        settings.weight_limit = random.below(12);
    if (settings.capacity > 0 && random.below(3) == 0)
        settings.overflow = has_order || random.below(2) == 0 ? overflow::drop_newest
                                                              : overflow::drop_oldest;
    return settings;
}

/// The life of one queue: up to 64 steps.
class random_steps final : public step_source
{
public:
    explicit random_steps(dice& random) : random_(random), length_(8 + random.below(57))
    {
    }

    /// How many were asked for.
    [[nodiscard]] std::size_t count() const { return count_; }

    [[nodiscard]] std::optional<step> next(const queue_model& model) override
    {
        if (count_ == length_)
            return std::nullopt;
        ++count_;
        if (!model.is_shut_down() && !random_.once_in(4))
            return random_.once_in(24) ? end() : start(model);
        return affect(model);
    }

private:
    step start(const queue_model& model)
    {
        step s{.what = random_.once_in(2) ? action::enqueue : action::dequeue};
        s.id = ++last_id_;
        s.how = random_manner();
        s.context = static_cast<int>(random_.below(3));
        s.count = random_.once_in(3) ? random_.below(5) : 1;
        if (s.what == action::enqueue) {
            s.first = last_row_ + 1;
            last_row_ += static_cast<int>(s.count);
        } else
            choose_demand(s, model);
        s.is_branch = random_.once_in(4) && can_be_branch(s);
        // What an operation for nothing does that is cancelled before it begins is open.
        if (s.how == manner::cancelled && s.count == 0)
            s.how = manner::posted;
        return s;
    }

    static bool can_be_branch(const step& s)
    {
        return s.how == manner::posted &&
               (s.what == action::enqueue ? s.count == 1
                                          : s.count > 0 && s.kind != demand::linger);
    }

    void choose_demand(step& s, const queue_model& model)
    {
        s.kind = static_cast<demand>(random_.below(5));
        if (s.kind == demand::one)
            s.count = 1;
        // The try_ batches take what there is.
        if (s.how == manner::attempt && s.kind != demand::one)
            s.kind = model.settings().kind == queue_kind::priority ? demand::some
                                                                   : demand::up_to;
    }

    manner random_manner()
    {
        if (random_.once_in(2))
            return manner::posted;
        return static_cast<manner>(random_.below(7));
    }

    // Of the queue, or of a context.
    step end()
    {
        constexpr action kinds[] = {
            action::close,
            action::cancel_pending,
            action::close_with_cause,
            action::shut_down,
            action::abandon
        };
        return {.what = kinds[random_.below(5)], .id = 1 + int(random_.below(2))};
    }

    // Something for an operation that waits, or whose delivery is on its way.
    std::optional<step> affect(const queue_model& model)
    {
        constexpr action kinds[] = {
            action::cancel,
            action::cancel,
            action::time_out,
            action::expire,
            action::forget,
            action::lose,
            action::deliver,
            action::deliver
        };
        const action what = kinds[random_.below(8)];
        std::vector<int> candidates;
        for (const auto& [id, o] : model.operations())
            if (o.is_pending() && makes_sense(what, o))
                candidates.push_back(id);
        if (!candidates.empty())
            return step{.what = what, .id = candidates[random_.below(candidates.size())]};
        return model.is_shut_down() ? std::nullopt : std::optional(start(model));
    }

    // A select whose branches wait is cancelled by taking the claim, not branch by branch.
    static bool makes_sense(action what, const operation& o)
    {
        const bool waits = o.now == operation::state::waiting;
        if (what == action::lose)
            return waits && o.start.is_branch && !o.is_lost();
        if (what == action::deliver)
            return !waits;
        // The limit of one that lingers bounds the same wait: it expires, too.
        const bool lingers = o.start.kind == demand::linger;
        if (what == (lingers ? action::time_out : action::expire))
            return false;
        return what == action::forget || !waits || !o.start.is_branch;
    }

    dice& random_;
    const std::size_t length_;
    std::size_t count_ = 0;
    int last_id_ = 0;
    int last_row_ = 0;
};

}  // namespace sluice::model
