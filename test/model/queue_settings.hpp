// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/element_weight.hpp>
#include <sluice/queue/queue_options.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice::model {

// Why: model and queue are made from the same few numbers.

enum class queue_kind : unsigned char
{
    fifo,
    shuffle,
    priority,
    padding
};

struct queue_settings
{
    queue_kind kind = queue_kind::fifo;
    std::size_t capacity = 1;
    std::size_t min_after_dequeue = 0;  // of a shuffle queue, as the seed
    std::uint64_t seed = 0;
    std::size_t weight_limit = unbounded;
    sluice::overflow overflow = sluice::overflow::wait;
};

/// What the element of this number weighs.
[[nodiscard]] inline std::size_t weight_of(int number) noexcept
{
    return static_cast<std::size_t>(number % 5);
}

// The order of a priority queue. Most numbers have equals, so that first come, first served
// among equals can be seen.
struct by_rank
{
    bool operator()(int a, int b) const noexcept { return a % 3 < b % 3; }
};

}  // namespace sluice::model

template <>
struct sluice::element_weight<int>
{
    static std::size_t of(int number) noexcept { return model::weight_of(number); }
};

template <>
struct sluice::element_weight<std::vector<int>>
{
    static std::size_t of(const std::vector<int>& row) noexcept
    {
        return model::weight_of(static_cast<int>(row.size()));
    }
};
