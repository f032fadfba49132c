// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/harness.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace sluice::bench {
namespace {

// So many items that a run takes about the given time.
std::size_t calibrate(const contestant& subject, std::chrono::nanoseconds wanted)
{
    for (std::size_t items = 2'000;;) {
        const std::chrono::nanoseconds taken = subject.run(items);
        if (taken >= wanted / 2) {
            const double factor = static_cast<double>(wanted.count()) /
                                  static_cast<double>(taken.count());
            return std::max<std::size_t>(
                2'000,
                static_cast<std::size_t>(static_cast<double>(items) * factor)
            );
        }
        items *= 2;
    }
}

}  // namespace

double result::median() const
{
    std::vector<double> sorted = rounds;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 != 0 ? sorted[middle]
                                  : (sorted[middle - 1] + sorted[middle]) / 2;
}

double result::fastest() const
{
    return *std::min_element(rounds.begin(), rounds.end());
}

double result::slowest() const
{
    return *std::max_element(rounds.begin(), rounds.end());
}

std::vector<result> measure(const scenario& subject, const effort& chosen)
{
    std::vector<result> results;
    for (const contestant& one : subject.contestants)
        results.push_back(
            {.scenario = subject.name,
             .contestant = one.name,
             .items = calibrate(one, chosen.round_time),
             .rounds = {}}
        );
    const std::size_t count = subject.contestants.size();
    for (std::size_t round = 0; round < chosen.rounds; ++round) {
        for (std::size_t turn = 0; turn < count; ++turn) {
            const std::size_t chosen_one = (round + turn) % count;
            result& to = results[chosen_one];
            const auto taken = subject.contestants[chosen_one].run(to.items);
            to.rounds.push_back(
                static_cast<double>(taken.count()) / static_cast<double>(to.items)
            );
        }
    }
    return results;
}

}  // namespace sluice::bench
