// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/harness.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace sluice::bench {
namespace {

std::size_t in_portions(double items, std::size_t portion)
{
    const auto whole = static_cast<std::size_t>(items / static_cast<double>(portion));
    return std::max<std::size_t>(whole, 1) * portion;
}

// So many items that a run takes about the given time.
std::size_t calibrate(const contestant& subject, std::chrono::nanoseconds wanted)
{
    const auto time = static_cast<double>(wanted.count());
    for (double items = 2'000;; items *= 2) {
        const std::size_t tried = in_portions(items, subject.portion);
        const double taken = subject.run(tried);
        if (taken >= time / 2)
            return in_portions(
                std::max(2'000.0, static_cast<double>(tried) * time / taken),
                subject.portion
            );
    }
}

double median_of(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 != 0 ? values[middle]
                                  : (values[middle - 1] + values[middle]) / 2;
}

const result* find(const std::vector<result>& results, const std::string& name)
{
    const auto found = std::ranges::find(results, name, &result::contestant);
    return found == results.end() ? nullptr : &*found;
}

}  // namespace

double result::median() const
{
    return median_of(rounds);
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
             .unit = subject.unit,
             .items = subject.items != 0 ? subject.items
                                         : calibrate(one, chosen.round_time),
             .rounds = {}}
        );
    const std::size_t count = subject.contestants.size();
    const std::size_t rounds = subject.most_rounds == 0
                                   ? chosen.rounds
                                   : std::min(subject.most_rounds, chosen.rounds);
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t turn = 0; turn < count; ++turn) {
            const std::size_t chosen_one = (round + turn) % count;
            result& to = results[chosen_one];
            const double taken = subject.contestants[chosen_one].run(to.items);
            to.rounds.push_back(taken / static_cast<double>(to.items));
        }
    }
    return results;
}

std::vector<verdict> judge(const scenario& subject, const std::vector<result>& results)
{
    std::vector<verdict> verdicts;
    for (const bar& one : subject.bars) {
        const result* const own = find(results, one.contestant);
        const result* const reference = find(results, one.reference);
        if (own == nullptr || reference == nullptr)
            continue;
        std::vector<double> ratios;
        for (std::size_t round = 0; round < own->rounds.size(); ++round)
            ratios.push_back(reference->rounds[round] / own->rounds[round]);
        const auto [lowest, highest] = std::ranges::minmax(ratios);
        verdicts.push_back(
            {.judged = one,
             .ratio = reference->median() / own->median(),
             .of_fastest = reference->fastest() / own->fastest(),
             .lowest = lowest,
             .highest = highest}
        );
    }
    return verdicts;
}

}  // namespace sluice::bench
