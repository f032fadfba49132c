// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <compare>
#include <cstdint>

namespace sluice::pipeline {

/// What tells an element of a queue outside of the process from all others of that queue.
/**
 * It is the same each time the element is delivered, and no other element of the queue has it, also
 * none of a queue that is made anew under the same name.
 */
struct element_key
{
    /// When the element came into the queue, in milliseconds since 1970 by the clock of the queue.
    std::uint64_t moment = 0;

    /// Its number in the queue. Elements that came in together have consecutive ones.
    std::uint64_t number = 0;

    /// Equal in both members.
    friend bool operator==(const element_key&, const element_key&) = default;

    /// In the order in which they came in.
    friend auto operator<=>(const element_key&, const element_key&) = default;
};

}  // namespace sluice::pipeline
