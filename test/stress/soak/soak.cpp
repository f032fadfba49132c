// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "stress/soak/dice.hpp"
#include "stress/soak/round.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>

// Random operations on queues of all kinds, from several threads, with every kind of ending:
// cancelled, timed out, closed, destroyed, abandoned. At the end of each round every element
// must have had exactly one end.

namespace {

using clock = std::chrono::steady_clock;

constexpr std::string_view usage =
    "usage: sluice_soak [--operations N] [--minutes M] [--seed S] [--threads T]\n"
    "\n"
    "  --operations N  stop after N operations (default: 10000000, none with --minutes)\n"
    "  --minutes M     stop after M minutes\n"
    "  --seed S        the seed of all choices (default: 1)\n"
    "  --threads T     threads that run the operations (default: 2)\n"
    "  --help          print this text\n"
    "\n"
    "Exit status: 0 if all books balance, 1 if not, 2 for a mistake in the arguments.\n";

struct settings
{
    std::uint64_t operations = 10'000'000;
    std::uint64_t minutes = 0;  // 0: no limit
    std::uint64_t seed = 1;
    std::uint64_t threads = 2;
    bool help = false;
};

std::uint64_t number_of(std::string_view option, std::string_view text)
{
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        throw std::invalid_argument(
            std::string(option) + " needs a number, not '" + std::string(text) + "'"
        );
    return value;
}

settings parse(int argc, char** argv)
{
    settings result;
    bool has_operations = false;
    for (int i = 1; i < argc; ++i) {
        const std::string_view option = argv[i];
        if (option == "--help") {
            result.help = true;
            return result;
        }
        std::uint64_t* const target = option == "--operations" ? &result.operations
                                      : option == "--minutes"  ? &result.minutes
                                      : option == "--seed"     ? &result.seed
                                      : option == "--threads"  ? &result.threads
                                                               : nullptr;
        if (target == nullptr)
            throw std::invalid_argument("unknown option '" + std::string(option) + "'");
        if (i + 1 == argc)
            throw std::invalid_argument(std::string(option) + " needs a value");
        *target = number_of(option, argv[++i]);
        has_operations = has_operations || target == &result.operations;
    }
    if (result.threads == 0)
        throw std::invalid_argument("--threads must be at least 1");
    if (result.minutes != 0 && !has_operations)
        result.operations = UINT64_MAX;
    return result;
}

std::string summary(const sluice::soak::totals& sum)
{
    return std::to_string(sum.operations) + " operations, " +
           std::to_string(sum.accepted) + " accepted = " + std::to_string(sum.delivered) +
           " delivered + " + std::to_string(sum.left) + " left; " +
           std::to_string(sum.returned) + " returned to their producers";
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
    if (sum.accepted != sum.delivered + sum.left) {
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
        return run(chosen);
    } catch (const std::exception& error) {
        std::cerr << "sluice_soak: " << error.what() << '\n' << usage;
        return 2;
    }
}
