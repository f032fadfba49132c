// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/queue_model.hpp"
#include "model/step.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace sluice::model {

// Why: a run does not care whether its steps are invented on the way or known before.

/// Where the steps come from.
class step_source
{
public:
    virtual ~step_source() = default;

    /// The next step, in view of what has happened; nothing at the end.
    [[nodiscard]] virtual std::optional<step> next(const queue_model& model) = 0;
};

/// Steps that are known.
class listed_steps final : public step_source
{
public:
    explicit listed_steps(const steps& list) : list_(list) {}

    [[nodiscard]] std::optional<step> next(const queue_model& /*model*/) override
    {
        return at_ < list_.size() ? std::optional(list_[at_++]) : std::nullopt;
    }

private:
    const steps& list_;
    std::size_t at_ = 0;
};

/// The steps up to the first after which queue and model differ, and in what.
struct mismatch
{
    steps taken;
    std::string what;
};

}  // namespace sluice::model
