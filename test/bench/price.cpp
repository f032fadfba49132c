// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/programs.hpp"
#include "bench/scenarios.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

// What the promises of the core cost: the same work by programs in which one of them each is
// switched off. `./dev bench --price` builds them.

namespace sluice::bench {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 6> variants{{
    {"price_all", ours},
    {"price_no_statistics", "without statistics"},
    {"price_no_budget", "without budget"},
    {"price_no_take_back", "without take-back"},
    {"price_no_closing", "without closing"},
    {"price_none", "without all four"},
}};

scenario priced(std::string name, std::string what, const task& work)
{
    scenario made{.name = std::move(name), .what = std::move(what), .contestants = {}};
    for (const auto& [program, title] : variants)
        add_program(made, work, program, title);
    return made;
}

}  // namespace

std::vector<scenario> price()
{
    return {
        priced("price_in_turn", "the core's own price, in_turn", {"turn", {64, 1, 1, 1}}),
        priced(
            "price_1x1_64_1",
            "the core's own price, 1x1_64_1",
            {"pass", {64, 1, 1, 1}}
        ),
        priced("price_1x1_1_1", "the core's own price, 1x1_1_1", {"pass", {1, 1, 1, 1}}),
        priced(
            "price_1x1_64_2",
            "the core's own price, 1x1_64_2",
            {"pass", {64, 1, 1, 2}}
        )
    };
}

}  // namespace sluice::bench
