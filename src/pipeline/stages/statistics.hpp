// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/data/value_view.hpp"
#include <sluice/pipeline/json_value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::pipeline {

// What is computed of the numbers of a group: sum, mean, min, max, median, or a percentile
// such as p95 or p99.9.
class statistic
{
public:
    // Throws option_error with the name of the option if there is none of this name.
    statistic(const std::string& name, const char* option);

    [[nodiscard]] const std::string& name() const noexcept { return name_; }

    // Whether it needs each of the numbers, and not only totals.
    [[nodiscard]] bool needs_all() const noexcept { return kind_ == kind::quantile; }

private:
    friend class numbers;

    enum class kind : unsigned char
    {
        sum,
        mean,
        min,
        max,
        quantile
    };

    std::string name_;
    kind kind_ = kind::quantile;
    // Of the numbers that are at most the quantile: millionths of a percent.
    std::uint64_t share_ = 50'000'000;
};

// A field that counts if it is a number.
struct found_number
{
    value_view value;
    std::optional<pipeline::number> number;
};

// The numbers of one field in one group.
class numbers
{
public:
    // @pre There is a number.
    void add(const found_number& found, bool keep);

    // As if those of the other had been added, too.
    void add(numbers&& other);

    // What it keeps besides itself. A vector that grows has room for up to twice of what it holds.
    [[nodiscard]] std::size_t bytes() const noexcept
    {
        return least_.bytes() + greatest_.bytes() +
               2 * (kept_.size() * sizeof(double) + exact_.size() * sizeof(long double));
    }

    // Null if there are no numbers, but for the sum, which is 0.
    [[nodiscard]] json_value compute(const statistic& wanted);

private:
    // As it was written.
    struct extreme
    {
        long double number = 0;
        json_value value;

        [[nodiscard]] std::size_t bytes() const noexcept
        {
            using text = json_value::binary_t;
            return value.is_binary() ? sizeof(text) + value.get_binary().size() : 0;
        }
    };

    void add_to_sum(std::int64_t high, std::uint64_t low);
    void add_to_sum(double value);
    void keep_exactly();
    [[nodiscard]] json_value sum() const;
    [[nodiscard]] double inexact_sum() const;
    [[nodiscard]] json_value quantile(std::uint64_t share);

    std::uint64_t count_ = 0;
    // The sum, if all are integers: what is beyond 64 bits, and the rest.
    std::int64_t high_sum_ = 0;
    std::uint64_t low_sum_ = 0;
    bool has_integers_ = true;  // and no others
    double sum_ = 0;
    double lost_ = 0;  // what sum_ lacks by rounding (Kahan, Neumaier)
    extreme least_;
    extreme greatest_;
    // Those that are kept: all as doubles, unless one of them is none.
    std::vector<double> kept_;
    std::vector<long double> exact_;
};

}  // namespace sluice::pipeline
