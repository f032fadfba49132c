// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "actor_critic.hpp"

#include <algorithm>
#include <cmath>

namespace {

constexpr float entropy_bonus = 0.01F;
constexpr float weight_of_value = 0.5F;
constexpr float longest_gradient = 0.5F;

// The derivative of the loss of one step by the outputs of the network.
//
// loss = - advantage * log p(action) + 1/2 weight_of_value (value - future)^2 - bonus * entropy
Eigen::Vector<float, outputs> derive_loss(const experience& step, float entropy)
{
    const auto& p = step.thought.probabilities;
    const float advantage = step.future - step.thought.value;
    Eigen::Vector<float, outputs> by_output;
    for (int i = 0; i < actions; ++i) {
        const float chosen = i == step.action ? 1.0F : 0.0F;
        by_output[i] = advantage * (p[i] - chosen) +
                       entropy_bonus * p[i] * (std::log(p[i]) + entropy);
    }
    by_output[actions] = -weight_of_value * advantage;
    return by_output;
}

}  // namespace

weights::weights(std::mt19937& random) : weights()
{
    std::normal_distribution<float> normal;
    for (float& weight : w1().reshaped())
        weight = normal(random) / std::sqrt(static_cast<float>(inputs));
    for (float& weight : w2().reshaped())
        weight = 0.01F * normal(random);
}

opinion evaluate(const weights& network, const cart_pole::observation& seen)
{
    opinion result;
    result.activation = (network.w1() * seen + network.b1()).array().tanh();
    const Eigen::Vector<float, outputs> output = network.w2() * result.activation +
                                                 network.b2();
    const auto logits = output.head<actions>().array();
    const auto powers = (logits - logits.maxCoeff()).exp().eval();
    result.probabilities = (powers / powers.sum()).max(1e-6F);
    result.value = output[actions];
    return result;
}

lesson learn(const weights& network, std::span<const experience> steps)
{
    lesson result;
    weights& sum = result.gradient;
    for (const experience& step : steps) {
        const auto& p = step.thought.probabilities;
        const auto& h = step.thought.activation;
        const float advantage = step.future - step.thought.value;
        const float entropy = -(p.array() * p.array().log()).sum();
        result.means.policy -= advantage * std::log(p[step.action]);
        result.means.value += advantage * advantage;
        result.means.entropy += entropy;

        const Eigen::Vector<float, outputs> by_output = derive_loss(step, entropy);
        const Eigen::Vector<float, hidden> by_hidden =
            (network.w2().transpose() * by_output).array() * (1 - h.array().square());
        sum.w2() += by_output * h.transpose();
        sum.b2() += by_output;
        sum.w1() += by_hidden * step.seen.transpose();
        sum.b1() += by_hidden;
    }
    const auto count = static_cast<float>(steps.size());
    sum.all() /= count;
    result.means.policy /= count;
    result.means.value /= count;
    result.means.entropy /= count;
    return result;
}

void optimizer::apply(const weights& gradient, weights& network)
{
    constexpr float decay_of_mean = 0.9F;
    constexpr float decay_of_square = 0.999F;
    ++steps_;
    const float length = gradient.all().norm();
    const Eigen::ArrayXf g = gradient.all().array() *
                             std::min(1.0F, longest_gradient / (length + 1e-6F));
    auto mean = mean_.all().array();
    auto square = square_.all().array();
    mean += (1 - decay_of_mean) * (g - mean);
    square += (1 - decay_of_square) * (g.square() - square);
    const auto steps = static_cast<float>(steps_);
    const float rate = learning_rate_ * std::sqrt(1 - std::pow(decay_of_square, steps)) /
                       (1 - std::pow(decay_of_mean, steps));
    network.all().array() -= rate * mean / (square.sqrt() + 1e-5F);
}
