// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "player.hpp"

#include <ranges>

namespace {

constexpr std::size_t longest_rollout = 20;
constexpr float reward_of_step = 0.1F;  // small, so that values are small, too
constexpr float discount = 0.99F;

std::mt19937 make_random(std::uint32_t seed, std::uint32_t number)
{
    std::seed_seq sequence{seed, number};
    return std::mt19937(sequence);
}

// `after` is what the network expects after the last step.
void discount_rewards(std::vector<experience>& steps, float after)
{
    for (experience& step : steps | std::views::reverse) {
        after = step.reward + discount * after;
        step.future = after;
    }
}

}  // namespace

player::player(std::uint32_t seed, std::uint32_t number)
    : random_(make_random(seed, number)), world_(static_cast<std::uint32_t>(random_()))
{
}

rollout player::play(const weights& network)
{
    using progress = cart_pole::progress;
    rollout result;
    progress now = progress::goes_on;
    while (now == progress::goes_on && result.steps.size() < longest_rollout) {
        const cart_pole::observation seen = world_.observe();
        const opinion thought = evaluate(network, seen);
        const int action = choose(thought);
        now = world_.step(action == 0 ? cart_pole::push::left : cart_pole::push::right);
        result.steps.push_back({seen, thought, action, reward_of_step, 0});
    }
    // An episode whose time is over would have gone on, one that failed would not.
    const bool failed = now == progress::failed;
    discount_rewards(
        result.steps,
        failed ? 0 : evaluate(network, world_.observe()).value
    );
    if (now != progress::goes_on) {
        result.episode_return = world_.steps();
        world_.reset();
    }
    return result;
}

int player::choose(const opinion& thought)
{
    std::uniform_real_distribution<float> uniform;
    return uniform(random_) < thought.probabilities[0] ? 0 : 1;
}
