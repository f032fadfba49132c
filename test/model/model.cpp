// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "model/coordinator_run.hpp"
#include "model/random_steps.hpp"
#include "model/run.hpp"
#include "model/runner_run.hpp"
#include "model/select_run.hpp"
#include "model/shrinker.hpp"
#include "model/small_world.hpp"
#include "model/test_case.hpp"
#include "model/trial.hpp"
#include "soak/dice.hpp"
#include "soak/number_options.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

// All steps of small worlds of queues, and random ones for queues of all kinds, for selects
// over two queues, for families of coordinators and for queue runners, taken by the real thing
// and by a model of it; after each step the two must agree. If they do not, the steps that
// matter are printed as a test case.

namespace {

using namespace sluice::model;
using clock = std::chrono::steady_clock;

constexpr std::string_view usage =
    "usage: sluice_model [--steps N] [--minutes M] [--seed S] [--worlds C] [--selects "
    "N]\n"
    "\n"
    "All steps of small worlds first, random steps then.\n"
    "\n"
    "  --steps N    stop after about N steps of queues, a quarter of that of selects\n"
    "               and of coordinators, and a sixteenth of runners (default: 10000000, "
    "none\n"
    "               with --minutes)\n"
    "  --minutes M  stop after M minutes\n"
    "  --seed S     the seed of all choices (default: 1)\n"
    "  --worlds C   only small worlds of a capacity below C (default: 3, which is all)\n"
    "  --selects N  N selects in each small world of two queues; 0: no such world "
    "(default:\n"
    "               2)\n"
    "  --help       print this text\n"
    "\n"
    "Exit status: 0 if all do as their model says, 1 if not, 2 for a mistake in the\n"
    "arguments.\n";

struct settings
{
    std::uint64_t steps = 0;    // 0: as --help says
    std::uint64_t minutes = 0;  // 0: no limit
    std::uint64_t seed = 1;
    std::uint64_t worlds = 3;
    std::uint64_t selects = 2;
    bool help = false;
};

settings parse(int argc, char** argv)
{
    settings result;
    result.help = !sluice::soak::parse_numbers(
        argc,
        argv,
        {{"--steps", result.steps},
         {"--minutes", result.minutes},
         {"--seed", result.seed},
         {"--worlds", result.worlds},
         {"--selects", result.selects}}
    );
    if (result.steps == 0)
        result.steps = result.minutes == 0 ? 10'000'000 : UINT64_MAX;
    return result;
}

std::string to_least_test_case(const queue_settings& queue, const mismatch& found)
{
    const auto run_listed = [&queue](const steps& list) {
        listed_steps source(list);
        return run(queue, source);
    };
    const shrinker<step> smaller([&](const steps& list) {
        return run_listed(list).has_value();
    });
    const steps least = smaller.shrink(found.taken);
    return to_test_case(queue, run_listed(least).value_or(found));
}

void report(const std::string& test_case)
{
    std::cerr << "sluice_model: something does not as its model says; it should pass\n\n"
              << test_case;
}

std::vector<queue_settings> small_worlds(std::uint64_t below)
{
    const queue_settings worlds[] = {
        {.kind = queue_kind::fifo, .capacity = 0},
        {.kind = queue_kind::fifo, .capacity = 1},
        {.kind = queue_kind::fifo, .capacity = 2},
        {.kind = queue_kind::priority, .capacity = 2},
        {.kind = queue_kind::shuffle, .capacity = 2, .min_after_dequeue = 1, .seed = 1}
    };
    std::vector<queue_settings> chosen;
    for (const queue_settings& world : worlds)
        if (world.capacity < below)
            chosen.push_back(world);
    return chosen;
}

void say(const extent& seen, std::string_view of_what)
{
    std::cout << seen.states << " states of " << of_what << " on " << seen.paths
              << " paths, all as the model says\n";
}

int explore_small_worlds(const settings& chosen)
{
    extent sum;
    for (const queue_settings& world : small_worlds(chosen.worlds)) {
        const exploration all = explore_small_world(world);
        if (all.found) {
            report(to_least_test_case(world, *all.found));
            return 1;
        }
        sum += all.seen;
    }
    say(sum, "small worlds");
    return 0;
}

int explore_worlds_of_two_queues(const settings& chosen)
{
    constexpr std::array<std::size_t, 2> worlds[] = {{0, 0}, {0, 1}, {1, 1}};
    extent sum;
    for (const auto& capacities : worlds) {
        if (chosen.selects == 0)
            continue;
        const selecting::exploration all =
            selecting::explore_small_world(capacities, int(chosen.selects));
        if (all.test_case) {
            report(*all.test_case);
            return 1;
        }
        sum += all.seen;
    }
    say(sum, "small worlds of two queues");
    return 0;
}

trial try_queue(dice& random)
{
    const queue_settings queue = random_settings(random);
    random_steps source(random);
    const std::optional<mismatch> found = run(queue, source);
    trial result{source.count(), std::nullopt};
    if (found)
        result.test_case = to_least_test_case(queue, *found);
    return result;
}

// Something that has a model, and how it is tried once.
struct subject
{
    std::string_view name;
    trial (*try_once)(dice&);
    std::uint64_t one_in;  // the share of the steps that it gets: some take longer
};

constexpr subject subjects[] = {
    {"queues", try_queue, 1},
    {"pairs of queues with selects", selecting::try_random_steps, 4},
    {"families of coordinators", coordination::try_random_steps, 4},
    {"pairs of queue runners", running::try_random_steps, 16}
};

int run_random_steps(const subject& what, const settings& chosen)
{
    constexpr std::uint64_t progress_every = 10'000;  // trials
    const bool shows_progress = ::isatty(STDERR_FILENO) != 0;
    const auto share = std::chrono::seconds(60 * chosen.minutes / std::size(subjects));
    const auto end = clock::now() + share;
    dice random(chosen.seed);
    std::uint64_t count = 0;
    std::uint64_t trials = 0;
    for (; count < chosen.steps / what.one_in; ++trials) {
        if (chosen.minutes != 0 && clock::now() >= end)
            break;
        const trial done = what.try_once(random);
        if (done.test_case) {
            report(*done.test_case);
            return 1;
        }
        count += done.steps;
        if (shows_progress && trials % progress_every == 0)
            std::cerr << '\r' << count << " steps" << std::flush;
    }
    if (shows_progress)
        std::cerr << '\n';
    std::cout << count << " steps on " << trials << ' ' << what.name
              << ", all as the model says\n";
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
        int status = explore_small_worlds(chosen);
        if (status == 0)
            status = explore_worlds_of_two_queues(chosen);
        for (const subject& what : subjects)
            if (status == 0)
                status = run_random_steps(what, chosen);
        return status;
    } catch (const std::exception& error) {
        std::cerr << "sluice_model: " << error.what() << '\n' << usage;
        return 2;
    }
}
