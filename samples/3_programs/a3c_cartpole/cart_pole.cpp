// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cart_pole.hpp"

#include <cmath>
#include <numbers>

namespace {

constexpr double gravity = 9.8;       // m/s^2
constexpr double mass_of_cart = 1.0;  // kg
constexpr double mass_of_pole = 0.1;  // kg
constexpr double half_length = 0.5;   // m, of the pole
constexpr double force = 10.0;        // N
constexpr double time_step = 0.02;    // s
constexpr double end_of_track = 2.4;  // m, from its middle
constexpr double greatest_angle = 12 * std::numbers::pi / 180;

constexpr double total_mass = mass_of_cart + mass_of_pole;
constexpr double pole_moment = mass_of_pole * half_length;

}  // namespace

void cart_pole::reset()
{
    std::uniform_real_distribution<double> near_upright(-0.05, 0.05);
    for (double* const value : {&x_, &x_speed_, &angle_, &angle_speed_})
        *value = near_upright(random_);
    steps_ = 0;
}

cart_pole::observation cart_pole::observe() const
{
    return Eigen::Vector4d(x_, x_speed_, angle_, angle_speed_).cast<float>();
}

cart_pole::progress cart_pole::step(push direction)
{
    const double pushed = direction == push::right ? force : -force;
    const double sine = std::sin(angle_);
    const double cosine = std::cos(angle_);
    const double moved = (pushed + pole_moment * angle_speed_ * angle_speed_ * sine) /
                         total_mass;
    const double angle_acceleration =
        (gravity * sine - cosine * moved) /
        (half_length * (4.0 / 3.0 - mass_of_pole * cosine * cosine / total_mass));
    const double x_acceleration = moved -
                                  pole_moment * angle_acceleration * cosine / total_mass;

    // Euler's method
    x_ += time_step * x_speed_;
    x_speed_ += time_step * x_acceleration;
    angle_ += time_step * angle_speed_;
    angle_speed_ += time_step * angle_acceleration;

    ++steps_;
    if (std::abs(x_) > end_of_track || std::abs(angle_) > greatest_angle)
        return progress::failed;
    return steps_ == longest_episode ? progress::time_over : progress::goes_on;
}
