// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/basic_step_source.hpp"
#include "model/comparison.hpp"
#include "model/figures.hpp"
#include "model/real_selects.hpp"
#include "model/select_model.hpp"
#include "model/select_step.hpp"

#include <array>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace sluice::model::selecting {

// Why: model and queues take each step together, and after each of them everything that can
// be seen of the two must be the same.

using step_source = basic_step_source<step, select_model>;
using listed_steps = basic_listed_steps<step, select_model>;
using mismatch = basic_mismatch<step>;
using capacities = std::array<std::size_t, 2>;

class lock_step
{
public:
    explicit lock_step(const capacities& of_queues) : model_(of_queues), real_(of_queues)
    {
    }

    /// Takes all steps, unless queues and model differ before.
    std::optional<mismatch> run(step_source& source)
    {
        return run_in_step(*this, source);
    }

    [[nodiscard]] const select_model& model() const { return model_; }

    void apply(const step& s)
    {
        std::erase_if(pending_, [this](int id) {
            return !model_.operations().at(id).is_pending();
        });
        model_.apply(s);
        real_.apply(s);
        if (s.what == action::start)
            pending_.push_back(s.id);
    }

    [[nodiscard]] std::string difference()
    {
        comparison found;
        found.compare("told", real_.last_news().told, model_.told());
        found.compare("abandoned", real_.last_news().abandoned, model_.abandoned());
        for (const int queue : {0, 1})
            compare_queue(queue, found);
        for (const int id : pending_)
            compare_operation(model_.operations().at(id), found);
        return found.difference();
    }

private:
    void compare_queue(int queue, comparison& found)
    {
        const auto expected = figures_of(model_.queue(queue).stats());
        const auto seen = figures_of(real_.stats(queue));
        for (std::size_t i = 0; i < seen.size(); ++i)
            if (seen[i].value != expected[i].value)
                found.compare(
                    std::string(seen[i].name) + " of queue " + std::to_string(queue),
                    int(seen[i].value),
                    int(expected[i].value)
                );
    }

    void compare_operation(const operation& o, comparison& found)
    {
        if (o.now == select_model::state::forgotten)
            return;
        const int id = o.start.id;
        const std::string of = "operation " + std::to_string(id) + ": ";
        found.compare(of + "state", int(real_.state(id)), int(o.now));
        if (o.start.is_select) {
            found.compare(of + "branch taken", real_.taken(id), o.winner);
            found.compare(of + "error", real_.error(id).message(), o.error.message());
        }
        for (std::size_t i = 0; i < o.parts.size(); ++i)
            compare_branch(o, i, found);
    }

    // The outcome of the branch that was taken, what one holds that waits, and the rows of
    // all. What else remains in a branch that lost is nobody's business.
    void compare_branch(const operation& o, std::size_t index, comparison& found)
    {
        const int id = o.start.id;
        const std::string of = "operation " + std::to_string(id) + ", branch " +
                               std::to_string(index) + ": ";
        const model::operation* const expected = model_.part(o, index);
        const bool is_taken = o.winner == int(index) || !o.start.is_select;
        const bool waits = expected != nullptr &&
                           expected->now == select_model::state::waiting;
        std::size_t accepted = 0;
        if (is_taken || waits) {
            const model::operation seen = real_.look(id, index);
            accepted = expected->accepted;
            found.compare(of + "elements", seen.elements, expected->elements);
            found.compare(of + "rows in", int(seen.accepted), int(accepted));
            if (is_taken && o.start.how != manner::attempt) {
                found.compare(
                    of + "error",
                    seen.error.message(),
                    expected->error.message()
                );
                found.compare(of + "left", int(seen.left), int(expected->left));
            }
        }
        compare_rows(o, index, accepted, found);
    }

    // Rows that did not go in are still with their owner, and whole.
    void compare_rows(
        const operation& o,
        std::size_t index,
        std::size_t accepted,
        comparison& found
    )
    {
        const branch& b = o.start.branches[index];
        if (!b.produces)
            return;
        std::vector<int> kept = real_.rows(o.start.id, index);
        kept.erase(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(accepted));
        std::vector<int> expected(b.count - accepted);
        std::iota(expected.begin(), expected.end(), b.first + int(accepted));
        found.compare("rows of operation " + std::to_string(o.start.id), kept, expected);
    }

    select_model model_;
    real_selects real_;
    std::vector<int> pending_;
};

}  // namespace sluice::model::selecting
