// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/queue_options.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace sluice {

// As in queue_options, nothing here may have a destructor of consequence.

/// The options of batcher and padded_batcher.
struct batcher_options
{
    /// How many examples a batch has; at least one.
    std::size_t batch_size;

    /// How many workers read, each with a copy of the callable; at least one. With more than
    /// one there is no order between examples. A list of callables has a worker for each, so
    /// leave this at 1 there.
    std::size_t workers = 1;

    /// How many examples are stored at most, or `unbounded`. At least the number of workers,
    /// because each keeps a place while it reads.
    queue_capacity capacity = 32;

    /// Whether the last batch may be smaller. If not, a rest that is too small stays in
    /// the queue.
    bool allow_smaller_final_batch = false;

    /// The name of the queue and of the runner in reports. It is copied; as in queue_options.
    std::string_view name = "batcher";
};

/// The options of shuffle_batcher.
struct shuffle_batcher_options
{
    /// How many examples a batch has; at least one.
    std::size_t batch_size;

    /// How many workers read, each with a copy of the callable; as in batcher_options.
    std::size_t workers = 1;

    /// How many examples are stored at most, or `unbounded`. At least `min_after_dequeue` and
    /// the number of workers together, because each keeps a place while it reads.
    queue_capacity capacity = 32;

    /// How many examples stay behind while there is input, so that there is something to
    /// choose from; as in shuffle_queue_options.
    std::size_t min_after_dequeue = 0;

    /// The start of the random sequence; as in shuffle_queue_options.
    std::optional<std::uint64_t> seed = std::nullopt;

    /// Whether the last batch may be smaller. If not, a rest that is too small stays in
    /// the queue.
    bool allow_smaller_final_batch = false;

    /// The name of the queue and of the runner in reports. It is copied; as in queue_options.
    std::string_view name = "batcher";
};

static_assert(std::is_trivially_destructible_v<batcher_options>);
static_assert(std::is_trivially_destructible_v<shuffle_batcher_options>);

namespace detail {

// The options of the queue of a batcher.
[[nodiscard]] constexpr queue_options queue_options_of(const batcher_options& options)
{
    return {.capacity = options.capacity, .name = options.name};
}

[[nodiscard]] constexpr shuffle_queue_options queue_options_of(
    const shuffle_batcher_options& options
)
{
    return {
        .capacity = options.capacity,
        .min_after_dequeue = options.min_after_dequeue,
        .seed = options.seed,
        .name = options.name
    };
}

// How many examples must be stored before one can leave, besides itself.
[[nodiscard]] constexpr std::size_t stays_behind(const batcher_options&) noexcept
{
    return 0;
}

[[nodiscard]] constexpr std::size_t stays_behind(const shuffle_batcher_options& options
) noexcept
{
    return options.min_after_dequeue;
}

}  // namespace detail

}  // namespace sluice
