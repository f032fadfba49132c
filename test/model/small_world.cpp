// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "model/small_world.hpp"

#include "model/queue_model.hpp"
#include "model/run.hpp"
#include "model/step.hpp"
#include "model/step_source.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sluice::model {

namespace {

// What has not happened yet.
struct budget
{
    int enqueues = 2;
    int dequeues = 2;
    int cancellations = 1;
    int closes = 1;
    int stops = 1;

    void spend(const step& s)
    {
        const action what = s.what;
        if (what == action::enqueue)
            --enqueues;
        else if (what == action::dequeue)
            --dequeues;
        else if (what == action::cancel)
            --cancellations;
        else if (what == action::close)
            --closes;
        else if (what != action::deliver)
            --stops;
    }
};

std::size_t rows_so_far(const queue_model& model)
{
    std::size_t rows = 0;
    for (const auto& [id, o] : model.operations())
        if (o.produces())
            rows += o.start.count;
    return rows;
}

// Every step that may come next. Operations are numbered as they start, and so are rows, so
// that states which differ in names only are one.
class next_steps
{
public:
    next_steps(const queue_model& model, const budget& left) : model_(model), left_(left)
    {
    }

    steps list()
    {
        if (!model_.is_shut_down())
            add_starts();
        for (const auto& [id, o] : model_.operations())
            add_what_affects(o);
        if (left_.closes > 0 && left_.stops > 0)  // a stop does more than a close
            list_.push_back({.what = action::close});
        if (left_.stops > 0) {
            list_.push_back({.what = action::cancel_pending});
            list_.push_back({.what = action::close_with_cause, .id = 1});
            list_.push_back({.what = action::shut_down});
        }
        return std::move(list_);
    }

private:
    void add_starts()
    {
        const int first = static_cast<int>(rows_so_far(model_)) + 1;
        const int id = static_cast<int>(model_.operations().size()) + 1;
        if (left_.enqueues > 0)
            for (const std::size_t count : {1U, 2U})
                list_.push_back(
                    {.what = action::enqueue, .id = id, .count = count, .first = first}
                );
        if (left_.dequeues > 0)
            for (const demand kind :
                 {demand::one, demand::exactly, demand::up_to, demand::some})
                list_.push_back(
                    {.what = action::dequeue,
                     .id = id,
                     .count = kind == demand::one ? 1U : 2U,
                     .kind = kind}
                );
    }

    // When a delivery runs matters to a cancellation that is still to come, and to nothing
    // else.
    void add_what_affects(const operation& o)
    {
        if (!o.is_pending() || left_.cancellations == 0)
            return;
        list_.push_back({.what = action::cancel, .id = o.start.id});
        if (o.now == operation::state::decided)
            list_.push_back({.what = action::deliver, .id = o.start.id});
    }

    const queue_model& model_;
    const budget left_;
    steps list_;
};

// What the future depends on: not operations that are over, nor the names of elements but
// for the rank that they give.
class state_key
{
public:
    state_key(const queue_model& model, const budget& left)
        : ranks_(model.settings().kind == queue_kind::priority ? 3 : 1)
    {
        for (const auto& [id, o] : model.operations())
            if (!is_over(o, left))
                add(o);
        add(model.stored());
        add(model.draws());
        add(rows_so_far(model) % ranks_);
        for (const int count :
             {left.enqueues, left.dequeues, left.cancellations, left.closes, left.stops})
            add(static_cast<std::size_t>(count));
        key_ += model.is_shut_down() ? 'd' : model.stats().closed ? 'c' : 'o';
    }

    std::string take() { return std::move(key_); }

private:
    // Only a cancellation can still change what is decided.
    static bool is_over(const operation& o, const budget& left)
    {
        return o.now != operation::state::waiting &&
               (!o.is_pending() || left.cancellations == 0);
    }

    void add(const operation& o)
    {
        key_ += o.now == operation::state::waiting ? 'w' : o.error ? 'f' : 's';
        key_ += o.produces() ? 'p' : "oeus"[static_cast<std::size_t>(o.start.kind)];
        add(o.wanted - o.accepted);
        add(o.elements);
    }

    void add(const std::vector<int>& elements)
    {
        key_ += '[';
        for (const int element : elements) {
            add(names_.emplace(element, names_.size()).first->second);
            add(static_cast<std::size_t>(element) % ranks_);
        }
    }

    void add(std::size_t number) { key_ += static_cast<char>('0' + number); }

    const std::size_t ranks_;
    std::map<int, std::size_t> names_;
    std::string key_;
};

// One way through a world: as prescribed at first, then on to states that were not seen.
class walk final : public step_source
{
public:
    walk(steps path, std::unordered_set<std::string>& seen, std::vector<steps>& others)
        : path_(std::move(path)), seen_(seen), others_(others)
    {
    }

    [[nodiscard]] std::optional<step> next(const queue_model& model) override
    {
        if (at_ == path_.size() && !extend(model))
            return std::nullopt;
        const step s = path_[at_++];
        left_.spend(s);
        return s;
    }

private:
    // The first of all next steps is taken now, the others later.
    bool extend(const queue_model& model)
    {
        if (!seen_.insert(state_key(model, left_).take()).second)
            return false;
        const steps candidates = next_steps(model, left_).list();
        if (candidates.empty())
            return false;
        for (auto other = candidates.begin() + 1; other != candidates.end(); ++other) {
            others_.push_back(path_);
            others_.back().push_back(*other);
        }
        path_.push_back(candidates.front());
        return true;
    }

    steps path_;
    std::size_t at_ = 0;
    budget left_;
    std::unordered_set<std::string>& seen_;
    std::vector<steps>& others_;
};

}  // namespace

exploration explore_small_world(const queue_settings& settings)
{
    exploration result;
    std::unordered_set<std::string> seen;
    std::vector<steps> paths{{}};
    while (!paths.empty() && !result.found) {
        walk path(std::move(paths.back()), seen, paths);
        paths.pop_back();
        result.found = run(settings, path);
        ++result.paths;
    }
    result.states = seen.size();
    return result;
}

}  // namespace sluice::model
