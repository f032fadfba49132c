// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "schedules/scenarios.hpp"
#include "schedules/schedule.hpp"
#include "soak/number_options.hpp"

#include <chrono>
#include <cstdint>
#include <exception>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <unistd.h>

// Coroutines, queues, selects, deadlines and coordinators on an executor that runs
// what is ready in any order: every order of small scenarios, and random ones of larger ones.
// Whatever the order, nothing may be lost, no operation may hang, and the first error must arrive.

namespace {

using namespace sluice::schedules;
using clock = std::chrono::system_clock;  // the steady one stands still in this program

constexpr std::string_view usage =
    "usage: sluice_schedules [--runs N] [--minutes M] [--seed S] [--orders N]\n"
    "\n"
    "Every order of small scenarios first, random orders of larger ones then.\n"
    "\n"
    "  --runs N     stop after N runs of each scenario (default: 10000, no limit with\n"
    "               --minutes)\n"
    "  --minutes M  stop after M minutes\n"
    "  --seed S     the seed of the first run, the next one has S + 1 (default: 1)\n"
    "  --orders N   at most N orders of a small scenario (default: 1000000)\n"
    "  --help       print this text\n"
    "\n"
    "Exit status: 0 if all was well, 1 if not, 2 for a mistake in the arguments.\n";

struct settings
{
    std::uint64_t runs = 0;     // 0: as --help says
    std::uint64_t minutes = 0;  // 0: no limit
    std::uint64_t seed = 1;
    std::uint64_t orders = 1'000'000;
    bool help = false;
};

settings parse(int argc, char** argv)
{
    settings result;
    result.help = !sluice::soak::parse_numbers(
        argc,
        argv,
        {{"--runs", result.runs},
         {"--minutes", result.minutes},
         {"--seed", result.seed},
         {"--orders", result.orders}}
    );
    if (result.runs == 0)
        result.runs = result.minutes == 0 ? 10'000 : UINT64_MAX;
    return result;
}

bool try_every_order(const scenario& what, std::uint64_t limit)
{
    every_schedule order;
    for (std::uint64_t count = 1;; ++count) {
        if (const std::string problem = what.run(order); !problem.empty()) {
            std::cerr << "sluice_schedules: " << what.name << ", order " << count << ": "
                      << problem << '\n';
            return false;
        }
        const bool more = order.next();
        if (more && count < limit)
            continue;
        std::cout << what.name << ": " << count << " orders"
                  << (more ? "" : ", all there are") << '\n';
        return true;
    }
}

bool try_once(const scenario& what, std::uint64_t seed)
{
    random_schedule order(seed);
    const std::string problem = what.run(order);
    if (!problem.empty())
        std::cerr << "sluice_schedules: " << what.name << ": " << problem
                  << "\nagain: sluice_schedules --orders 0 --runs 1 --seed " << seed
                  << '\n';
    return problem.empty();
}

bool try_random_orders(const settings& chosen)
{
    constexpr std::uint64_t progress_every = 1'000;  // runs
    const bool shows_progress = ::isatty(STDERR_FILENO) != 0;
    const auto end = clock::now() + std::chrono::minutes(chosen.minutes);
    std::uint64_t runs = 0;
    for (; runs < chosen.runs; ++runs) {
        if (chosen.minutes != 0 && clock::now() >= end)
            break;
        for (const scenario& what : large_scenarios())
            if (!try_once(what, chosen.seed + runs))
                return false;
        if (shows_progress && runs % progress_every == 0)
            std::cerr << '\r' << runs << " runs" << std::flush;
    }
    if (shows_progress)
        std::cerr << '\n';
    std::cout << runs << " random orders of each of " << large_scenarios().size()
              << " scenarios\n";
    return true;
}

bool run(const settings& chosen)
{
    if (chosen.orders > 0)
        for (const scenario& what : small_scenarios())
            if (!try_every_order(what, chosen.orders))
                return false;
    return try_random_orders(chosen);
}

}  // namespace

int main(int argc, char** argv)
{
    try {
        const settings chosen = parse(argc, argv);
        if (chosen.help) {
            std::cout << usage;
            return 0;
        }
        return run(chosen) ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << "sluice_schedules: " << error.what() << '\n' << usage;
        return 2;
    }
}
