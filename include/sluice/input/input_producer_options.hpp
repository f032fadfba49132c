// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/input/input_position.hpp>
#include <sluice/queue/queue_options.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

namespace sluice {

/// The number of epochs of a reading that goes on until it is stopped.
inline constexpr std::uint64_t unlimited_epochs = std::numeric_limits<std::uint64_t>::max(
);

// As in queue_options, nothing here may have a destructor of consequence.

/// The options of input_producer.
struct input_producer_options
{
    /// How often the list is read, from its beginning to its end; at least once. With `start_at`,
    /// the epochs before that position count. By default there is no limit, as in TensorFlow.
    std::uint64_t num_epochs = unlimited_epochs;

    /// Whether each epoch has an order of its own, at random. By default elements come as listed,
    /// unlike in TensorFlow.
    bool shuffle = false;

    /// With `shuffle`: the start of the random orders. The order of an epoch depends on the
    /// seed, the number of the epoch and the size of the list, and is the same on every platform.
    /// Empty: that of `start_at`. If that has none, a random one, which the positions of the
    /// reading have. So a first start gives other orders each time, and what is resumed goes on in
    /// its order.
    std::optional<std::uint64_t> seed = std::nullopt;

    /// How many elements are stored at most; not 0. May be `unbounded` only if the number of epochs
    /// is limited.
    queue_capacity capacity = 32;

    /// Where to begin: a position of an earlier reading of the same list. Its seed must be `seed`
    /// if both are given. One without a seed (0) is of a reading that does not shuffle. With
    /// `shuffle`, it may only be `input_position{}`, which is the beginning, or, together with a
    /// `seed`, the beginning of a later epoch. Empty: at the beginning.
    std::optional<input_position> start_at = std::nullopt;

    /// The name of the queue and of the runner in reports. It is copied; as in queue_options.
    std::string_view name = "input";
};

static_assert(std::is_trivially_destructible_v<input_producer_options>);

namespace detail {

// A number that is given, and has no default.
struct given_number
{
    template <std::integral Number>
    constexpr given_number(Number /*value*/)
    {
    }
};

// A position in braces without its type, which an optional does not accept: to say so in one
// message. A reference, so that options without a position are not taken for these.
struct untyped_position
{
    given_number epoch;
    std::uint64_t index = 0;
    std::uint64_t list_size = 0;
    std::uint64_t seed = 0;
};

struct options_with_untyped_position
{
    std::uint64_t num_epochs = unlimited_epochs;
    bool shuffle = false;
    std::optional<std::uint64_t> seed = std::nullopt;
    queue_capacity capacity = 32;
    const untyped_position& start_at;
    std::string_view name = {};
};

}  // namespace detail

}  // namespace sluice
