// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/figures.hpp"
#include "model/queue_model.hpp"
#include "model/queue_settings.hpp"
#include "model/real_queue.hpp"
#include "model/step.hpp"
#include "model/step_source.hpp"
#include "model/text.hpp"
#include <sluice/queue/queue_stats.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::model {

// Why: model and queue take each step together, and after each of them everything that can
// be seen of the two must be the same.

/// In which figure the two differ; empty if in none.
[[nodiscard]] inline std::string difference(
    const queue_stats& expected,
    const queue_stats& seen
)
{
    const auto all_expected = figures_of(expected);
    const auto all_seen = figures_of(seen);
    for (std::size_t i = 0; i < all_seen.size(); ++i)
        if (all_seen[i].value != all_expected[i].value)
            return std::string(all_seen[i].name) + ": " +
                   std::to_string(all_seen[i].value) + ", not " +
                   std::to_string(all_expected[i].value);
    return {};
}

template <class T, class Store>
class lock_step
{
public:
    explicit lock_step(const queue_settings& settings) : model_(settings), real_(settings)
    {
    }

    /// Takes all steps, unless queue and model differ before.
    std::optional<mismatch> run(step_source& source)
    {
        steps taken;
        while (const std::optional<step> s = source.next(model_)) {
            apply(*s);
            taken.push_back(*s);
            if (std::string what = difference(); !what.empty())
                return mismatch{std::move(taken), std::move(what)};
        }
        return std::nullopt;
    }

private:
    void apply(const step& s)
    {
        std::erase_if(pending_, [this](int id) {
            return !model_.operations().at(id).is_pending();
        });
        model_.apply(s);
        real_.apply(s);
        if (is_start(s))
            pending_.push_back(s.id);
    }

    [[nodiscard]] std::string difference()
    {
        const news& seen = real_.last_news();
        if (model_.told() != seen.told)
            return "told were " + text(seen.told) + ", not " + text(model_.told());
        if (model_.abandoned() != seen.abandoned)
            return "abandoned were " + text(seen.abandoned) + ", not " +
                   text(model_.abandoned());
        std::string what = model::difference(model_.stats(), real_.stats());
        for (auto id = pending_.begin(); what.empty() && id != pending_.end(); ++id)
            what = difference(model_.operations().at(*id), real_.look(*id));
        return what;
    }

    [[nodiscard]] std::string difference(const operation& expected, const operation& seen)
    {
        const int id = expected.start.id;
        const std::string in = "operation " + std::to_string(id) + ": ";
        if (expected.now == operation::state::forgotten)
            return {};
        if (seen.now != expected.now)
            return in + "is in another state";
        if (seen.claimed != expected.claimed)
            return in + "took the claim of its select, or did not";
        if (seen.error != expected.error)
            return in + '"' + seen.error.message() + "\", not \"" +
                   expected.error.message() + '"';
        if (seen.elements != expected.elements)
            return in + text(seen.elements) + ", not " + text(expected.elements);
        if (seen.accepted != expected.accepted)
            return in + "another number of rows is in";
        if (seen.left != expected.left || seen.cause != expected.cause)
            return in + "reports the end of the queue differently";
        if (expected.produces() && !real_.has_kept_its_rows(id, seen.accepted))
            return in + "lost a row that did not go in";
        return {};
    }

    queue_model model_;
    real_queue<T, Store> real_;
    std::vector<int> pending_;
};

}  // namespace sluice::model
