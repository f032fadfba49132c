// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

struct options
{
    std::uint32_t actors = 4;
    std::uint32_t threads;  // of the pool; as many as there are processors
    std::uint32_t seed = 1;
    std::uint32_t steps = 5'000'000;  // of all environments together, at most
    std::uint32_t target = 195;       // mean return of the last 100 episodes
    std::string logdir;               // empty: no summaries
    bool help = false;

    options();
};

// Throws std::invalid_argument with what is wrong.
[[nodiscard]] options parse_options(const std::vector<std::string_view>& arguments);

void print_usage(std::ostream& out);
