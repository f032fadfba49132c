// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "cart_pole.hpp"

#include <Eigen/Core>

#include <random>
#include <span>

// The network that plays, and how it learns: advantage actor-critic with gradients by hand.

inline constexpr int inputs = 4;
inline constexpr int hidden = 32;
inline constexpr int actions = 2;
inline constexpr int outputs = actions + 1;  // a logit for each action, and the value

// Weights, or their gradient, of a network with one hidden layer:
// outputs = w2 * tanh(w1 * x + b1) + b2. They are one vector for the optimizer, and matrices for
// the network.
class weights
{
public:
    weights() : all_(Eigen::VectorXf::Zero(size)) {}
    explicit weights(std::mt19937& random);

    [[nodiscard]] auto w1() { return Eigen::Map<w1_type>(all_.data()); }
    [[nodiscard]] auto b1() { return Eigen::Map<b1_type>(all_.data() + b1_at); }
    [[nodiscard]] auto w2() { return Eigen::Map<w2_type>(all_.data() + w2_at); }
    [[nodiscard]] auto b2() { return Eigen::Map<b2_type>(all_.data() + b2_at); }
    [[nodiscard]] auto w1() const { return Eigen::Map<const w1_type>(all_.data()); }
    [[nodiscard]] auto b1() const
    {
        return Eigen::Map<const b1_type>(all_.data() + b1_at);
    }
    [[nodiscard]] auto w2() const
    {
        return Eigen::Map<const w2_type>(all_.data() + w2_at);
    }
    [[nodiscard]] auto b2() const
    {
        return Eigen::Map<const b2_type>(all_.data() + b2_at);
    }

    [[nodiscard]] Eigen::VectorXf& all() { return all_; }
    [[nodiscard]] const Eigen::VectorXf& all() const { return all_; }

private:
    using w1_type = Eigen::Matrix<float, hidden, inputs>;
    using b1_type = Eigen::Vector<float, hidden>;
    using w2_type = Eigen::Matrix<float, outputs, hidden>;
    using b2_type = Eigen::Vector<float, outputs>;

    static constexpr int b1_at = hidden * inputs;
    static constexpr int w2_at = b1_at + hidden;
    static constexpr int b2_at = w2_at + outputs * hidden;
    static constexpr int size = b2_at + outputs;

    Eigen::VectorXf all_;
};

// What the network says of one observation.
struct opinion
{
    Eigen::Vector<float, hidden> activation;
    Eigen::Vector<float, actions> probabilities;
    float value;  // how much reward is still to come
};

[[nodiscard]] opinion evaluate(
    const weights& network,
    const cart_pole::observation& seen
);

// One step of a player.
struct experience
{
    cart_pole::observation seen;
    opinion thought;
    int action;
    float reward;
    float future;  // discounted reward from here on; known at the end of a rollout
};

struct losses
{
    float policy = 0;
    float value = 0;
    float entropy = 0;  // of the policy: 0 certain, log(2) undecided
};

// The gradient of the loss by the weights with which the steps were played, averaged over them.
struct lesson
{
    weights gradient;
    losses means;
};

[[nodiscard]] lesson learn(const weights& network, std::span<const experience> steps);

// Adam (D. P. Kingma, J. Ba, 2015), with a limit for the norm of each gradient.
class optimizer
{
public:
    explicit optimizer(float learning_rate) : learning_rate_(learning_rate) {}

    void apply(const weights& gradient, weights& network);

private:
    float learning_rate_;
    weights mean_;
    weights square_;
    int steps_ = 0;
};
