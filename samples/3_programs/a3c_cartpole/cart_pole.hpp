// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <random>

// A cart on a track, with a pole on a joint, that is pushed to the left or to the right.
//
// The equations are those of A. G. Barto, R. S. Sutton, C. W. Anderson: "Neuronlike Adaptive
// Elements That Can Solve Difficult Learning Control Problems", IEEE Transactions on Systems, Man,
// and Cybernetics 13 (1983), 834-846, without friction. Constants, start and end of an episode are
// those of the environment CartPole-v0 of OpenAI Gym.
class cart_pole
{
public:
    // Position and velocity of the cart, angle and angular velocity of the pole; SI units.
    using observation = Eigen::Vector4f;

    enum class push
    {
        left,
        right
    };

    enum class progress
    {
        goes_on,
        failed,    // the pole fell, or the cart left the track
        time_over  // which is a success
    };

    static constexpr int longest_episode = 200;  // steps; the return is one for each step

    explicit cart_pole(std::uint32_t seed) : random_(seed) { reset(); }

    // Begins an episode, near the upright position.
    void reset();

    progress step(push direction);

    [[nodiscard]] observation observe() const;
    [[nodiscard]] int steps() const { return steps_; }

private:
    std::mt19937 random_;
    double x_ = 0;
    double x_speed_ = 0;
    double angle_ = 0;
    double angle_speed_ = 0;
    int steps_ = 0;
};
