// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/select_model.hpp"
#include "model/select_step.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sluice::model::selecting {

// Why: chance may miss the one order of four operations that goes wrong; this misses none.

/// What has not happened yet.
struct budget
{
    int selects = 1;
    int singles = 2;
    int cancellations = 1;
    int closes = 1;

    void spend(const step& s)
    {
        if (s.what == action::start)
            --(s.is_select ? selects : singles);
        else if (is_close(s))
            --closes;
        else if (s.what != action::deliver)
            --cancellations;
    }
};

/// Every step that may come next. Operations are numbered as they start, and so are rows.
class next_steps
{
public:
    next_steps(const select_model& model, const budget& left) : model_(model), left_(left)
    {
        for (const auto& [id, o] : model.operations())
            for (const branch& b : o.start.branches)
                last_row_ += int(b.produces);
    }

    steps list()
    {
        if (left_.selects > 0)
            add_selects();
        if (left_.singles > 0)
            for (const int queue : {0, 1}) {
                add_start({put(queue)}, false);
                add_start({take(queue)}, false);
            }
        for (const auto& [id, o] : model_.operations())
            if (o.is_pending())
                add_what_affects(o);
        if (left_.closes > 0)
            for (const int queue : {0, 1})
                for (const action what : {action::close, action::cancel_pending})
                    list_.push_back({.what = what, .queue = queue});
        return std::move(list_);
    }

private:
    void add_selects()
    {
        add_start({take(0), take(1)}, true);
        add_start({take(1), put(0)}, true);
        add_start({put(0), put(1)}, true);
        add_start({put(0), take(0)}, true);
        add_start({take_two(0), take(1)}, true);
    }

    void add_start(std::vector<branch> branches, bool is_select)
    {
        int row = last_row_;
        for (branch& b : branches)
            if (b.produces)
                b.first = ++row;
        list_.push_back(
            {.id = int(model_.operations().size()) + 1,
             .branches = std::move(branches),
             .is_select = is_select}
        );
    }

    void add_what_affects(const operation& o)
    {
        const int id = o.start.id;
        if (left_.cancellations > 0) {
            list_.push_back({.what = action::cancel, .id = id});
            list_.push_back({.what = action::forget, .id = id});
        }
        // The delivery of one without branches matters only to a cancellation.
        if (o.now == select_model::state::decided &&
            (o.start.is_select || left_.cancellations > 0))
            list_.push_back({.what = action::deliver, .id = id});
    }

    static branch take(int queue) { return {.queue = queue}; }

    static branch put(int queue) { return {.queue = queue, .produces = true}; }

    static branch take_two(int queue)
    {
        return {.queue = queue, .count = 2, .kind = demand::exactly};
    }

    const select_model& model_;
    const budget left_;
    int last_row_ = 0;
    steps list_;
};

/// What the future depends on: not operations that are over, nor the names of elements.
class state_key
{
public:
    state_key(const select_model& model, const budget& left)
    {
        for (const auto& [id, o] : model.operations())
            if (o.is_pending() && (o.now == select_model::state::waiting ||
                                   o.start.is_select || left.cancellations > 0))
                add(model, o);
        for (const int queue : {0, 1}) {
            add(model.queue(queue).stored());
            key_ += model.queue(queue).stats().closed ? 'c' : 'o';
        }
        for (const int count :
             {left.selects, left.singles, left.cancellations, left.closes})
            add(std::size_t(count));
    }

    std::string take() { return std::move(key_); }

private:
    void add(const select_model& model, const operation& o)
    {
        key_ += o.start.is_select ? '{' : '(';
        add(std::size_t(o.now));
        add(std::size_t(o.winner + 1));
        for (std::size_t i = 0; i < o.parts.size(); ++i) {
            const branch& b = o.start.branches[i];
            add(std::size_t(b.queue));
            add(b.produces ? 0 : b.count);
            if (const model::operation* const part = model.part(o, i)) {
                add(std::size_t(part->now));
                key_ += part->is_lost() ? 'l' : part->error ? 'f' : 's';
                add(part->accepted);
                add(part->elements);
            }
        }
    }

    void add(const std::vector<int>& elements)
    {
        key_ += '[';
        for (const int element : elements)
            add(names_.emplace(element, names_.size()).first->second);
    }

    void add(std::size_t number) { key_ += static_cast<char>('0' + number); }

    std::map<int, std::size_t> names_;
    std::string key_;
};

/// Two queues, with as many operations as the budget says.
struct world
{
    using step_type = step;
    using model_type = select_model;
    using budget_type = budget;
    using choice_type = next_steps;
    using key_type = state_key;
};

}  // namespace sluice::model::selecting
