// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/task.hpp"

#include "bench/work.hpp"

#include <chrono>
#include <stdexcept>

namespace sluice::bench {

double since(bench_clock::time_point start)
{
    return std::chrono::duration<double, std::nano>(bench_clock::now() - start).count();
}

void check(item sum, std::size_t items)
{
    if (sum != items * (items - 1) / 2)
        throw std::runtime_error("a benchmark has lost items");
}

void check_last(std::size_t last, std::size_t items, std::size_t steps)
{
    if (last != work(work(work(items - 1, steps), steps), steps))
        throw std::runtime_error("a benchmark has lost items");
}

}  // namespace sluice::bench
