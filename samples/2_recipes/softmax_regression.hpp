// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Softmax regression on the digits, trained by gradient descent on mini-batches.

#pragma once

#include "digits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>
#include <span>

class softmax_regression
{
public:
    /// Take one step downhill; returns the mean loss of the batch before the step.
    double train(std::span<const digits::example> batch, float learning_rate)
    {
        double loss = 0;
        weights gradient{};
        for (const auto& [image, label] : batch) {
            auto error = probabilities(image);
            loss -= std::log(std::max(error[label], 1e-12F));
            error[label] -= 1;
            for (std::size_t c = 0; c < digits::classes; ++c) {
                for (std::size_t p = 0; p < digits::image_size; ++p)
                    gradient[c][p] += error[c] * image[p];
                gradient[c][digits::image_size] += error[c];
            }
        }

        const auto size = static_cast<float>(batch.size());
        for (std::size_t c = 0; c < digits::classes; ++c) {
            for (std::size_t p = 0; p <= digits::image_size; ++p)
                weights_[c][p] -= learning_rate * gradient[c][p] / size;
        }
        return loss / size;
    }

    /// The share of the examples that are recognised.
    [[nodiscard]] double accuracy(std::span<const digits::example> examples) const
    {
        const auto recognised = std::ranges::count_if(examples, [&](const auto& example) {
            const auto guess = probabilities(example.pixels);
            return std::ranges::max_element(guess) - guess.begin() ==
                   static_cast<std::ptrdiff_t>(example.label);
        });
        return static_cast<double>(recognised) / static_cast<double>(examples.size());
    }

    /// What has been learned.
    [[nodiscard]] auto parameters() { return std::views::join(weights_); }
    [[nodiscard]] auto parameters() const { return std::views::join(weights_); }

private:
    using scores = std::array<float, digits::classes>;
    using row = std::array<float, digits::image_size + 1>;  // the last is the bias
    using weights = std::array<row, digits::classes>;

    [[nodiscard]] scores probabilities(const digits::image& image) const
    {
        scores result;
        for (std::size_t c = 0; c < digits::classes; ++c) {
            result[c] = weights_[c][digits::image_size];
            for (std::size_t p = 0; p < digits::image_size; ++p)
                result[c] += weights_[c][p] * image[p];
        }
        const float largest = std::ranges::max(result);
        float sum = 0;
        for (float& score : result)
            sum += score = std::exp(score - largest);
        for (float& score : result)
            score /= sum;
        return result;
    }

    weights weights_{};
};
