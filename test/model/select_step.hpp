// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/step.hpp"

#include <cstddef>
#include <vector>

namespace sluice::model::selecting {

// Why: what happens to two queues and to those who choose between them is a list of plain
// values, too.

/// An operation of one queue, or a branch of a select.
struct branch
{
    int queue = 0;  // 0 or 1
    bool produces = false;
    std::size_t count = 1;  // rows, or how many elements are asked for
    int first = 0;          // the rows are first, first + 1, ...
    demand kind = demand::one;

    bool operator==(const branch&) const = default;
};

/// One thing that happens.
struct step
{
    enum class action : unsigned char
    {
        start,
        cancel,
        time_out,
        deliver,
        forget,
        abandon,  // an execution context dies: that of queue 0, or of queue 1
        close,
        cancel_pending,
        shut_down
    };

    action what = action::start;
    int id = 0;  // of the operation, or else of the context
    int queue = 0;
    std::vector<branch> branches = {};
    bool is_select = false;
    manner how = manner::posted;
    int context = 0;  // in which the owner lives; 0: in none that dies

    bool operator==(const step&) const = default;
};

using action = step::action;
using steps = std::vector<step>;

[[nodiscard]] inline bool is_close(const step& s)
{
    return s.what >= action::close;
}

/// What a failing list can do with instead, if it still fails.
[[nodiscard]] inline std::vector<step> simpler_than(const step& s)
{
    std::vector<step> result;
    const auto without = [&](bool has, auto&& simplify) {
        if (has)
            simplify(result.emplace_back(s));
    };
    for (std::size_t i = 0; i < s.branches.size(); ++i) {
        without(s.branches.size() > 1, [i](step& r) {
            r.branches.erase(r.branches.begin() + static_cast<std::ptrdiff_t>(i));
        });
        without(s.branches[i].count > 1, [i](step& r) { --r.branches[i].count; });
    }
    without(s.is_select && s.branches.size() == 1, [](step& r) { r.is_select = false; });
    without(s.how != manner::posted, [](step& r) { r.how = manner::posted; });
    without(s.context != 0, [](step& r) { r.context = 0; });
    without(s.what == action::time_out, [](step& r) { r.what = action::cancel; });
    return result;
}

}  // namespace sluice::model::selecting
