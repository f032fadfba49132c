// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::model {

// Why: a run does not care whether its steps are invented on the way or known before.

/// Where the steps come from.
template <class Step, class Model>
class basic_step_source
{
public:
    virtual ~basic_step_source() = default;

    /// The next step, in view of what has happened; nothing at the end.
    [[nodiscard]] virtual std::optional<Step> next(const Model& model) = 0;
};

/// Steps that are known.
template <class Step, class Model>
class basic_listed_steps final : public basic_step_source<Step, Model>
{
public:
    explicit basic_listed_steps(const std::vector<Step>& list) : list_(list) {}

    [[nodiscard]] std::optional<Step> next(const Model& /*model*/) override
    {
        return at_ < list_.size() ? std::optional(list_[at_++]) : std::nullopt;
    }

private:
    const std::vector<Step>& list_;
    std::size_t at_ = 0;
};

/// The steps up to the first after which the real thing and its model differ, and in what.
template <class Step>
struct basic_mismatch
{
    std::vector<Step> taken;
    std::string what;
};

/// Takes all steps with both of a pair, unless they differ before. The pair has model(),
/// apply(step), and difference(), which is empty if there is none.
template <class Pair, class Step, class Model>
std::optional<basic_mismatch<Step>> run_in_step(
    Pair& both,
    basic_step_source<Step, Model>& source
)
{
    std::vector<Step> taken;
    while (const std::optional<Step> s = source.next(both.model())) {
        both.apply(*s);
        taken.push_back(*s);
        if (std::string what = both.difference(); !what.empty())
            return basic_mismatch<Step>{std::move(taken), std::move(what)};
    }
    return std::nullopt;
}

}  // namespace sluice::model
