// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "options.hpp"

#include <algorithm>
#include <charconv>
#include <ostream>
#include <stdexcept>
#include <thread>

namespace {

std::uint32_t parse_number(
    std::string_view option,
    std::string_view text,
    std::uint32_t least
)
{
    std::uint32_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || read != end || number < least)
        throw std::invalid_argument(
            std::string(option) + " takes a number from " + std::to_string(least) +
            ", not '" + std::string(text) + "'"
        );
    return number;
}

}  // namespace

options::options() : threads(std::max(1U, std::thread::hardware_concurrency())) {}

options parse_options(const std::vector<std::string_view>& arguments)
{
    options result;
    for (auto argument = arguments.begin(); argument != arguments.end(); ++argument) {
        const std::string_view option = *argument;
        const auto value = [&] {
            if (++argument == arguments.end())
                throw std::invalid_argument(std::string(option) + " needs a value");
            return *argument;
        };
        if (option == "--help")
            result.help = true;
        else if (option == "--actors")
            result.actors = parse_number(option, value(), 1);
        else if (option == "--threads")
            result.threads = parse_number(option, value(), 1);
        else if (option == "--seed")
            result.seed = parse_number(option, value(), 0);
        else if (option == "--steps")
            result.steps = parse_number(option, value(), 1);
        else if (option == "--target")
            result.target = parse_number(option, value(), 1);
        else if (option == "--logdir")
            result.logdir = value();
        else
            throw std::invalid_argument(
                "unknown option '" + std::string(option) + "'; --help lists the options"
            );
    }
    return result;
}

void print_usage(std::ostream& out)
{
    const options defaults;
    out << "usage: sample_a3c_cartpole [options]\n"
           "Learns to balance a pole on a cart, with several actors at once.\n\n"
           "  --actors N    environments that are played at the same time ("
        << defaults.actors
        << ")\n"
           "  --threads N   threads of the pool ("
        << defaults.threads
        << " here); with 1 thread a run is repeatable\n"
           "  --seed N      of the weights and of all environments ("
        << defaults.seed
        << ")\n"
           "  --target N    done at this mean return of 100 episodes, 200 at most ("
        << defaults.target
        << ")\n"
           "  --steps N     gives up after so many steps of the environments ("
        << defaults.steps
        << ")\n"
           "  --logdir DIR  writes summaries for TensorBoard into this directory\n"
           "  --help        prints this\n";
}
