// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace sluice::bench {

/// Sends so many items from beginning to end and says how long that took.
using measurement = std::function<std::chrono::nanoseconds(std::size_t items)>;

/// One way of doing the work of a scenario.
struct contestant
{
    std::string name;
    measurement run;
};

/// Work that several contestants do in the same way.
struct scenario
{
    std::string name;
    std::string what;  // for people
    std::vector<contestant> contestants;
};

/// What a contestant needs per item, in nanoseconds, round by round.
struct result
{
    std::string scenario;
    std::string contestant;
    std::size_t items = 0;       // in a round
    std::vector<double> rounds;  // in the order measured

    [[nodiscard]] double median() const;
    [[nodiscard]] double fastest() const;
    [[nodiscard]] double slowest() const;
};

struct effort
{
    std::size_t rounds = 15;
    std::chrono::milliseconds round_time{150};  // of each contestant, about
};

/// Measures the contestants of a scenario in alternation.
/**
 * Each is first run with more and more items until a run takes `round_time`, which also warms
 * it up. Then every round runs each of them once, beginning with another one each time, so
 * that whatever happens to the machine meanwhile happens to all of them.
 */
[[nodiscard]] std::vector<result> measure(const scenario& subject, const effort& chosen);

}  // namespace sluice::bench
