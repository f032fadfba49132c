// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "report/histogram_message.hpp"

#include "report/wire.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace sluice::report {

namespace {

namespace histogram {
constexpr unsigned min = 1;
constexpr unsigned max = 2;
constexpr unsigned num = 3;
constexpr unsigned sum = 4;
constexpr unsigned sum_squares = 5;
constexpr unsigned bucket_limit = 6;
constexpr unsigned bucket = 7;
}  // namespace histogram

constexpr std::size_t buckets = 30;
constexpr double greatest = std::numeric_limits<double>::max();

struct moments
{
    double min = greatest;
    double max = -greatest;
    double num = 0;
    double sum = 0;
    double sum_squares = 0;
};

moments moments_of(std::span<const double> samples)
{
    moments result;
    for (const double sample : samples) {
        if (!std::isfinite(sample))
            continue;
        result.min = std::min(result.min, sample);
        result.max = std::max(result.max, sample);
        result.num += 1;
        result.sum += sample;
        result.sum_squares += sample * sample;
    }
    return result;
}

// Where on the way from min to max: 0 to 1. Halves, because their difference may be infinite.
double position(double sample, const moments& of)
{
    const double width = of.max / 2 - of.min / 2;
    return width > 0 ? (sample / 2 - of.min / 2) / width : 0;
}

}  // namespace

std::string histogram_message(std::span<const double> samples)
{
    const moments of = moments_of(samples);
    std::array<double, buckets> limits{};
    for (std::size_t i = 0; i < buckets; ++i)
        limits[i] = std::lerp(of.min, of.max, static_cast<double>(i + 1) / buckets);
    limits.back() = greatest;  // by convention; readers show max instead
    std::array<double, buckets> counts{};
    for (const double sample : samples)
        if (std::isfinite(sample)) {
            const auto bucket = static_cast<std::size_t>(position(sample, of) * buckets);
            counts[std::min(bucket, buckets - 1)] += 1;
        }

    std::string message;
    wire::append_double(message, histogram::min, of.min);
    wire::append_double(message, histogram::max, of.max);
    wire::append_double(message, histogram::num, of.num);
    wire::append_double(message, histogram::sum, of.sum);
    wire::append_double(message, histogram::sum_squares, of.sum_squares);
    wire::append_doubles(message, histogram::bucket_limit, limits);
    wire::append_doubles(message, histogram::bucket, counts);
    return message;
}

}  // namespace sluice::report
