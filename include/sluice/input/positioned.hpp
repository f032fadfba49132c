// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/input/input_position.hpp>

#include <cstdint>

namespace sluice {

/// An element of an input_producer that knows its place in the reading.
/**
 * Stages behind a producer take elements in advance, so the position of the producer is ahead of
 * what the program has done. An element that carries its own tells where to go on after it. An
 * `input_producer<positioned<T>>` gives them; stages pass `next` on with their result.
 *
 * @par Example
 * @code
 * const auto parse = [](const sluice::positioned<std::string>& line) {
 *     return sluice::positioned<example>{to_example(line.value), line.next};
 * };
 * @endcode
 *
 * @tparam T  the elements of the list.
 */
template <class T>
struct positioned
{
    /// The element.
    T value;

    /// Where a reading goes on that has this element, and all before it, behind it.
    input_position next;

    /// Whether this is the last element of its epoch.
    [[nodiscard]] bool ends_epoch() const noexcept { return next.index == 0; }

    /// The epoch of this element, from 0.
    [[nodiscard]] std::uint64_t epoch() const noexcept
    {
        return ends_epoch() ? next.epoch - 1 : next.epoch;
    }
};

}  // namespace sluice
