// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "soak/dice.hpp"
#include "soak/number_options.hpp"
#include "soak/round.hpp"
#include "stress/yields.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>

// Random operations on queues of all kinds, from several threads, with every kind of ending:
// cancelled, timed out, closed, destroyed, abandoned. At the end of each round every element
// must have had exactly one end.

namespace {

using clock = std::chrono::steady_clock;

constexpr std::string_view usage =
    "usage: sluice_soak [--operations N] [--minutes M] [--seed S] [--threads T]\n"
    "                   [--yields N]\n"
    "\n"
    "  --operations N  stop after N operations (default: 10000000, none with --minutes)\n"
    "  --minutes M     stop after M minutes\n"
    "  --seed S        the seed of all choices (default: 1)\n"
    "  --threads T     threads that run the operations (default: 2)\n"
    "  --yields N      a thread yields at one in N of the points that the library marks\n"
    "                  in builds with the thread sanitizer; 0: at none (default: 16)\n"
    "  --help          print this text\n"
    "\n"
    "Exit status: 0 if all books balance, 1 if not, 2 for a mistake in the arguments.\n";

struct settings
{
    std::uint64_t operations = 0;  // 0: as --help says
    std::uint64_t minutes = 0;     // 0: no limit
    std::uint64_t seed = 1;
    std::uint64_t threads = 2;
    std::uint64_t yields = 16;
    bool help = false;
};

settings parse(int argc, char** argv)
{
    settings result;
    result.help = !sluice::soak::parse_numbers(
        argc,
        argv,
        {{"--operations", result.operations},
         {"--minutes", result.minutes},
         {"--seed", result.seed},
         {"--threads", result.threads},
         {"--yields", result.yields}}
    );
    if (result.threads == 0)
        throw std::invalid_argument("--threads must be at least 1");
    if (result.operations == 0)
        result.operations = result.minutes == 0 ? 10'000'000 : UINT64_MAX;
    return result;
}

std::string summary(const sluice::soak::totals& sum)
{
    return std::to_string(sum.operations) + " operations, " +
           std::to_string(sum.accepted) + " accepted = " + std::to_string(sum.delivered) +
           " delivered + " + std::to_string(sum.left) + " left + " +
           std::to_string(sum.overflowed) + " dropped; " + std::to_string(sum.returned) +
           " returned to their producers; " + std::to_string(sum.weighings) +
           " weights compared";
}

int run(const settings& chosen)
{
    constexpr std::uint64_t per_round = 20'000;
    constexpr std::uint64_t progress_every = 25;  // rounds
    const bool shows_progress = ::isatty(STDERR_FILENO) != 0;
    const auto end = clock::now() + std::chrono::minutes(chosen.minutes);
    sluice::soak::dice seeds(chosen.seed);
    sluice::soak::totals sum;
    for (std::uint64_t round = 0; sum.operations < chosen.operations; ++round) {
        if (chosen.minutes != 0 && clock::now() >= end)
            break;
        const std::uint64_t size =
            std::min(per_round, chosen.operations - sum.operations);
        try {
            sum += sluice::soak::run_round(seeds.roll(), size, chosen.threads);
        } catch (const std::exception& error) {
            std::cerr << "sluice_soak: " << error.what() << "\nround " << round
                      << " of --seed " << chosen.seed << ", after " << summary(sum)
                      << '\n';
            return 1;
        }
        if (shows_progress && round % progress_every == 0)
            std::cerr << '\r' << summary(sum) << std::flush;
    }
    if (shows_progress)
        std::cerr << '\n';
    std::cout << summary(sum) << '\n';
    if (sum.accepted != sum.delivered + sum.left + sum.overflowed) {
        std::cerr << "sluice_soak: that does not add up, with --seed " << chosen.seed
                  << '\n';
        return 1;
    }
    return 0;
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
        const sluice::stress::yields at_points(chosen.yields);
        return run(chosen);
    } catch (const std::exception& error) {
        std::cerr << "sluice_soak: " << error.what() << '\n' << usage;
        return 2;
    }
}
