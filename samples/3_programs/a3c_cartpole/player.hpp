// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "actor_critic.hpp"
#include "cart_pole.hpp"

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

// Some steps of one episode.
struct rollout
{
    std::vector<experience> steps;
    std::optional<int> episode_return;  // if the episode ended
};

// Plays in an environment of its own.
class player
{
public:
    player(std::uint32_t seed, std::uint32_t number);

    // The next steps with these weights: 20, or fewer at the end of an episode.
    [[nodiscard]] rollout play(const weights& network);

private:
    [[nodiscard]] int choose(const opinion& thought);

    std::mt19937 random_;
    cart_pole world_;
};
