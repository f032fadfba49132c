// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/text.hpp"

#include <string>

namespace sluice::model {

// Why: of all that can differ after a step, the first is enough to say.

/// Compares what is seen with what a model expects; keeps the first difference, in words.
class comparison
{
public:
    template <class T>
    void compare(const std::string& what, const T& seen, const T& expected)
    {
        if (difference_.empty() && seen != expected)
            difference_ = what + ": " + text(seen) + ", not " + text(expected);
    }

    /// Empty if there is none.
    [[nodiscard]] const std::string& difference() const { return difference_; }

private:
    std::string difference_;
};

}  // namespace sluice::model
