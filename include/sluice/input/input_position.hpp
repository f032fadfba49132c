// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <compare>
#include <cstdint>

namespace sluice {

/// Where a reading of an input_producer stands: the place of the element that comes next.
/**
 * Four numbers, which a program may store in any form. Given as
 * input_producer_options::start_at they make a later reading go on there. The order is that of the
 * elements, for positions of one reading.
 */
struct input_position
{
    /// The epoch, from 0.
    std::uint64_t epoch = 0;

    /// How many elements of that epoch come before.
    std::uint64_t index = 0;

    /// How many elements the list of that epoch has; 0 if `index` is 0.
    std::uint64_t list_size = 0;

    /// The seed of the order; 0 if the reading does not shuffle. For a reading with the seed 0 it
    /// is the number that gives the same order, 2^32.
    std::uint64_t seed = 0;

    /// Compares all of them, the epoch first.
    friend auto operator<=>(const input_position&, const input_position&) = default;
};

}  // namespace sluice
