// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace sluice::bench {

/// What is carried. The sum of all is checked, so that none gets away with doing nothing.
using item = std::size_t;

/// How many producers and consumers there are, and how they pass elements.
struct shape
{
    std::size_t capacity;
    std::size_t producers;
    std::size_t consumers;
    std::size_t threads;
};

/// What a program that takes part in a benchmark is asked for.
struct task
{
    std::string work;  // "turn", "pass" or "stages"
    shape form;
    std::size_t steps = 0;  // of work(), for each item and stage
};

using bench_clock = std::chrono::steady_clock;

/// Nanoseconds.
[[nodiscard]] double since(bench_clock::time_point start);

/// Fails unless `sum` is that of the values from 0 to `items`.
void check(item sum, std::size_t items);

/// Fails unless `last` is what three stages make of the last of so many items: one producer
/// and one consumer keep the order, so it tells that all have come.
void check_last(std::size_t last, std::size_t items, std::size_t steps);

}  // namespace sluice::bench
