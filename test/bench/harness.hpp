// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace sluice::bench {

/// Does the work for so many items and says what that took, in the unit of the scenario.
using measurement = std::function<double(std::size_t items)>;

/// One way of doing the work of a scenario.
struct contestant
{
    std::string name;
    measurement run;
    std::size_t portion = 1;  // items come in multiples of this
};

/// What a ratio of two contestants should be. It is reported, and nothing depends on it.
struct bar
{
    std::string what;        // for people
    std::string contestant;  // the one that is judged
    std::string reference;   // what it is judged by
    double at_least;         // the reference needs so many times as much
};

/// Work that several contestants do in the same way.
struct scenario
{
    std::string name;
    std::string what;  // for people
    std::vector<contestant> contestants;
    std::vector<bar> bars = {};
    std::vector<std::string> missing = {};  // contestants that are not installed
    std::string unit = "ns/item";
    std::size_t items = 0;        // in a round; 0: as many as fill the time
    std::size_t most_rounds = 0;  // 0: as many as asked for
};

/// What a contestant needs per item, round by round.
struct result
{
    std::string scenario;
    std::string contestant;
    std::string unit;
    std::size_t items = 0;       // in a round
    std::vector<double> rounds;  // in the order measured

    [[nodiscard]] double median() const;
    [[nodiscard]] double fastest() const;
    [[nodiscard]] double slowest() const;
};

/// What became of a bar. The ratios are those of rounds, which are measured side by side.
struct verdict
{
    bar judged;
    double ratio = 0;       // of the medians
    double of_fastest = 0;  // of the fastest rounds, which a busy machine disturbs least
    double lowest = 0;
    double highest = 0;

    [[nodiscard]] bool met() const noexcept { return ratio >= judged.at_least; }
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

/// Judges the bars whose contestants were measured.
[[nodiscard]] std::vector<verdict> judge(
    const scenario& subject,
    const std::vector<result>& results
);

}  // namespace sluice::bench
