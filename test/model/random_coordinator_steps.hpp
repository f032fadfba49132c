// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/coordinator_lock_step.hpp"
#include "model/coordinator_model.hpp"
#include "model/coordinator_step.hpp"
#include "soak/dice.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace sluice::model::coordination {

// Why: steps that are likely to get somewhere. Purely random ones would mostly stop what is
// stopped and cancel what is over.

using sluice::soak::dice;

/// The life of a family of coordinators: up to 64 steps.
class random_steps final : public step_source
{
public:
    explicit random_steps(dice& random) : random_(random), length_(8 + random.below(57))
    {
    }

    /// How many were asked for.
    [[nodiscard]] std::size_t count() const { return count_; }

    [[nodiscard]] std::optional<step> next(const coordinator_model& model) override
    {
        if (count_ == length_)
            return std::nullopt;
        ++count_;
        switch (random_.below(8)) {
        case 0:
        case 1:
            return with_task(model);
        case 2:
        case 3:
            return start(model);
        case 4:
        case 5:
            return affect(model);
        case 6:
            return control(model);
        default:
            return surroundings(model);
        }
    }

private:
    static constexpr std::size_t most_scopes = 4;

    step with_task(const coordinator_model& model)
    {
        if (model.tasks().size() > random_.below(4))
            return end_task(model);
        return {.what = action::add_task, .scope = a_scope(model), .id = ++last_id_};
    }

    step end_task(const coordinator_model& model)
    {
        auto t = model.tasks().begin();
        std::advance(t, random_.below(model.tasks().size()));
        return because({.what = action::end_task, .id = t->first});
    }

    // Mostly without an exception.
    step because(step s)
    {
        if (random_.once_in(2))
            return s;
        s.why = static_cast<reason>(1 + random_.below(6));
        s.error = ++last_error_;
        return s;
    }

    step start(const coordinator_model& model)
    {
        step s{.what = random_.once_in(2) ? action::join : action::wait_for_stop};
        s.scope = a_scope(model);
        s.id = ++last_id_;
        s.hours = s.what == action::join ? static_cast<int>(random_.below(4)) - 1 : 0;
        s.context = static_cast<int>(random_.below(3));
        if (random_.once_in(2))  // a join has no deadline but its grace period
            s.how = static_cast<manner>(random_.below(s.what == action::join ? 4 : 6));
        return s;
    }

    // Something for an operation that waits, or whose delivery is on its way.
    step affect(const coordinator_model& model)
    {
        std::vector<const operation*> candidates;
        for (const auto& [id, o] : model.operations())
            if (o.is_pending())
                candidates.push_back(&o);
        if (candidates.empty())
            return start(model);
        const operation& o = *candidates[random_.below(candidates.size())];
        constexpr action kinds[] =
            {action::deliver, action::cancel, action::forget, action::time_out};
        const std::size_t choices = o.start.what == action::join ? 3 : 4;
        return {.what = kinds[random_.below(choices)], .id = o.start.id};
    }

    step control(const coordinator_model& model)
    {
        const std::vector<int> scopes = existing(model);
        const int id = scopes[random_.below(scopes.size())];
        if (may_be_cleared(model, id) && !random_.once_in(3))
            return {.what = action::clear_stop, .scope = id};
        if (scopes.size() > 1 && random_.once_in(4))
            return {.what = action::destroy, .scope = id};
        return because({.what = action::request_stop, .scope = id});
    }

    step surroundings(const coordinator_model& model)
    {
        const int id = a_scope(model);
        switch (random_.below(6)) {
        case 0:
            if (model.scopes().size() < most_scopes)
                return {
                    .what = action::make_child,
                    .scope = id,
                    .id = static_cast<int>(model.scopes().size())
                };
            [[fallthrough]];
        case 1:
        case 2:
            return {.what = action::pass_time, .hours = 1};
        case 3:
            if (last_queue_ > 0 && random_.once_in(2))
                return {.what = action::lose_queue, .id = last_queue_};
            [[fallthrough]];
        case 4:
            return {.what = action::add_queue, .scope = id, .id = ++last_queue_};
        default:
            return {
                .what = action::abandon,
                .id = 1 + static_cast<int>(random_.below(2))
            };
        }
    }

    // After a stop, and with nothing going on, says the contract. What clearing means for
    // queues of a coordinator that was not stopped, it leaves open.
    static bool may_be_cleared(const coordinator_model& model, int id)
    {
        const scope& c = model.scopes().at(id);
        return c.joins.empty() && (c.stopped || (c.joined && c.queues.empty()));
    }

    static std::vector<int> existing(const coordinator_model& model)
    {
        std::vector<int> scopes;
        for (const auto& [id, c] : model.scopes())
            if (c.exists)
                scopes.push_back(id);
        return scopes;
    }

    int a_scope(const coordinator_model& model)
    {
        const std::vector<int> scopes = existing(model);
        return scopes[random_.below(scopes.size())];
    }

    dice& random_;
    const std::size_t length_;
    std::size_t count_ = 0;
    int last_id_ = 0;
    int last_error_ = 0;
    int last_queue_ = 0;
};

}  // namespace sluice::model::coordination
