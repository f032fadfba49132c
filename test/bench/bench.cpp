// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/harness.hpp"
#include "bench/report.hpp"
#include "bench/scenarios.hpp"

#include <malloc.h>

#include <chrono>
#include <exception>
#include <fstream>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// Queues of sluice against the channels of Boost.Asio, and against others where they are
// built. README.md in this folder describes the method.

namespace {

using namespace sluice::bench;

constexpr std::string_view usage =
    "usage: sluice_bench [--json FILE] [--filter TEXT] [--quick] [--list]\n"
    "\n"
    "  --json FILE    write all measurements to FILE\n"
    "  --filter TEXT  only scenarios whose name contains TEXT\n"
    "  --quick        few and short rounds, to see that it works\n"
    "  --list         print the scenarios\n"
    "  --help         print this text\n"
    "\n"
    "Figures are medians of the rounds; ratio: how many times as much as sluice.\n";

struct settings
{
    std::string json;
    std::string filter;
    effort chosen;
    bool list = false;
    bool help = false;
};

settings parse(int argc, char** argv)
{
    settings result;
    for (int i = 1; i < argc; ++i) {
        const std::string_view option = argv[i];
        const auto value = [&]() -> std::string {
            if (i + 1 == argc)
                throw std::invalid_argument(std::string(option) + " needs a value");
            return argv[++i];
        };
        if (option == "--json")
            result.json = value();
        else if (option == "--filter")
            result.filter = value();
        else if (option == "--quick")
            result.chosen = {.rounds = 3, .round_time = std::chrono::milliseconds(20)};
        else if (option == "--list")
            result.list = true;
        else if (option == "--help")
            result.help = true;
        else
            throw std::invalid_argument("unknown option '" + std::string(option) + "'");
    }
    return result;
}

void write(const std::string& path, const std::string& text)
{
    std::ofstream file(path);
    if (!(file << text << std::flush))
        throw std::runtime_error("cannot write '" + path + "'");
}

// What a round gives back the next one gets again. From the kernel it would come in pages
// that have to be cleared, which takes as long as what is measured, and varies more.
void keep_memory()
{
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
    mallopt(M_MMAP_MAX, 0);
}

void run(const settings& chosen)
{
    std::vector<result> all;
    bool found = false;
    const std::vector<scenario> scenarios = all_scenarios();
    for (const scenario& one : scenarios) {
        if (one.name.find(chosen.filter) == std::string::npos)
            continue;
        found = true;
        if (chosen.list) {
            std::cout << one.name << ": " << one.what << '\n';
            continue;
        }
        malloc_trim(0);  // what others have left free may lie scattered
        const std::vector<result> results = measure(one, chosen.chosen);
        print(std::cout, one, results);
        all.insert(all.end(), results.begin(), results.end());
    }
    if (!found)
        throw std::invalid_argument("no scenario contains '" + chosen.filter + "'");
    if (!chosen.json.empty() && !chosen.list)
        write(chosen.json, to_json(all, scenarios, chosen.chosen));
}

}  // namespace

int main(int argc, char** argv)
{
    keep_memory();
    try {
        const settings chosen = parse(argc, argv);
        if (chosen.help)
            std::cout << usage;
        else
            run(chosen);
        return 0;
    } catch (const std::invalid_argument& error) {
        std::cerr << "sluice_bench: " << error.what() << '\n' << usage;
        return 2;
    } catch (const std::exception& error) {
        std::cerr << "sluice_bench: " << error.what() << '\n';
        return 1;
    }
}
