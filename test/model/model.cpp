// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "model/lock_step.hpp"
#include "model/random_steps.hpp"
#include "model/shrinker.hpp"
#include "model/text.hpp"
#include "soak/dice.hpp"
#include "soak/number_options.hpp"
#include <sluice/queue/fifo_store.hpp>
#include <sluice/queue/padding_store.hpp>
#include <sluice/queue/priority_store.hpp>
#include <sluice/queue/shuffle_store.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

// Random steps on queues of all kinds, taken by the real thing and by a model of it; after each
// step the two must agree. If they do not, the steps that matter are printed.

namespace {

using namespace sluice::model;
using clock = std::chrono::steady_clock;

constexpr std::string_view usage =
    "usage: sluice_model [--steps N] [--minutes M] [--seed S]\n"
    "\n"
    "  --steps N    stop after about N steps (default: 10000000, none with --minutes)\n"
    "  --minutes M  stop after M minutes\n"
    "  --seed S     the seed of all choices (default: 1)\n"
    "  --help       print this text\n"
    "\n"
    "Exit status: 0 if all do as their model says, 1 if not, 2 for a mistake in the\n"
    "arguments.\n";

struct settings
{
    std::uint64_t steps = 0;    // 0: as --help says
    std::uint64_t minutes = 0;  // 0: no limit
    std::uint64_t seed = 1;
    bool help = false;
};

settings parse(int argc, char** argv)
{
    settings result;
    result.help = !sluice::soak::parse_numbers(
        argc,
        argv,
        {{"--steps", result.steps}, {"--minutes", result.minutes}, {"--seed", result.seed}
        }
    );
    if (result.steps == 0)
        result.steps = result.minutes == 0 ? 10'000'000 : UINT64_MAX;
    return result;
}

template <class T, class Store>
std::optional<mismatch> run_as(const queue_settings& queue, step_source& source)
{
    return lock_step<T, Store>(queue).run(source);
}

// Takes the steps on a queue as the settings say, and on its model.
std::optional<mismatch> run(const queue_settings& queue, step_source& source)
{
    using row = std::vector<int>;
    switch (queue.kind) {
    case queue_kind::fifo:
        return run_as<int, sluice::fifo_store<int>>(queue, source);
    case queue_kind::shuffle:
        return run_as<int, sluice::shuffle_store<int>>(queue, source);
    case queue_kind::priority:
        return run_as<int, sluice::priority_store<int, by_rank>>(queue, source);
    case queue_kind::padding:
        return run_as<row, sluice::padding_store<row>>(queue, source);
    }
    return std::nullopt;
}

// Prints the steps that matter, one a line.
void report(const queue_settings& queue, const mismatch& found)
{
    const auto run_listed = [&queue](const steps& list) {
        listed_steps source(list);
        return run(queue, source);
    };
    const shrinker smaller([&](const steps& list) { return run_listed(list).has_value(); }
    );
    const mismatch least = run_listed(smaller.shrink(found.taken)).value_or(found);
    std::cerr << "sluice_model: a queue does not as its model says: " << least.what
              << "\n\n"
              << text(queue) << '\n';
    for (const step& s : least.taken)
        std::cerr << text(s) << '\n';
}

// How many steps there were, with one queue; none if they found a difference.
std::optional<std::uint64_t> try_queue(dice& random)
{
    const queue_settings queue = random_settings(random);
    random_steps source(random);
    if (const std::optional<mismatch> found = run(queue, source)) {
        report(queue, *found);
        return std::nullopt;
    }
    return source.count();
}

int run_random_steps(const settings& chosen)
{
    constexpr std::uint64_t progress_every = 10'000;  // queues
    const bool shows_progress = ::isatty(STDERR_FILENO) != 0;
    const auto end = clock::now() + std::chrono::minutes(chosen.minutes);
    dice random(chosen.seed);
    std::uint64_t count = 0;
    std::uint64_t queues = 0;
    for (; count < chosen.steps; ++queues) {
        if (chosen.minutes != 0 && clock::now() >= end)
            break;
        const std::optional<std::uint64_t> steps = try_queue(random);
        if (!steps)
            return 1;
        count += *steps;
        if (shows_progress && queues % progress_every == 0)
            std::cerr << '\r' << count << " steps" << std::flush;
    }
    if (shows_progress)
        std::cerr << '\n';
    std::cout << count << " steps on " << queues << " queues, all as the model says\n";
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
        return run_random_steps(chosen);
    } catch (const std::exception& error) {
        std::cerr << "sluice_model: " << error.what() << '\n' << usage;
        return 2;
    }
}
