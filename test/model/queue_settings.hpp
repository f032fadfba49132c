// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <cstdint>

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
};

// The order of a priority queue. Most numbers have equals, so that first come, first served
// among equals can be seen.
struct by_rank
{
    bool operator()(int a, int b) const noexcept { return a % 3 < b % 3; }
};

}  // namespace sluice::model
