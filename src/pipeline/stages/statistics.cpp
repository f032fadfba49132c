// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/statistics.hpp"

#include "pipeline/words.hpp"
#include "text/number.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace sluice::pipeline {

namespace {

constexpr std::uint64_t whole_share = 100'000'000;

// The 95 of p95, in millionths.
std::optional<std::uint64_t> percent_in(std::string_view name)
{
    constexpr std::size_t most_decimals = 6;
    const std::size_t point = std::min(name.find('.'), name.size());
    const std::size_t decimals = name.size() - std::min(point + 1, name.size());
    if (!name.starts_with('p') || point < 2 || decimals > most_decimals)
        return std::nullopt;
    std::string digits(name);
    digits.erase(point, 1).append(most_decimals - decimals, '0');
    const auto percent = text::whole_number<std::uint64_t>(digits.substr(1));
    return percent <= whole_share ? percent : std::nullopt;
}

// The smallest of the numbers that at least that share of them does not exceed.
template <class Number>
Number quantile_of(std::vector<Number>& numbers, std::uint64_t share)
{
    const std::uint64_t rank = (share * numbers.size() + whole_share - 1) / whole_share;
    const auto at = numbers.begin() +
                    static_cast<std::ptrdiff_t>(std::max<std::uint64_t>(rank, 1) - 1);
    std::nth_element(numbers.begin(), at, numbers.end());
    return *at;
}

}  // namespace

statistic::statistic(const std::string& name, const char* option) : name_(name)
{
    constexpr std::pair<const char*, kind> names[] = {
        {"sum", kind::sum},
        {"mean", kind::mean},
        {"min", kind::min},
        {"max", kind::max},
        {"median", kind::quantile}
    };
    for (const auto& [known, its_kind] : names)
        if (name == known) {
            kind_ = its_kind;
            return;
        }
    const auto percent = percent_in(name);
    if (!percent)
        throw option_error(
            option,
            detail::in_quotes(name),
            "sum, mean, min, max, median, or a percentile such as p95"
        );
    share_ = *percent;
}

void numbers::add(const found_number& found, bool keep)
{
    const number& its = *found.number;
    const long double value = its.value();
    if (count_ == 0 || value < least_.number)
        least_ = {value, found.value.to_json()};
    if (count_ == 0 || value > greatest_.number)
        greatest_ = {value, found.value.to_json()};
    ++count_;
    has_integers_ = has_integers_ && its.is_integer();
    if (its.is_whole())
        add_to_sum(its.whole() < 0 ? -1 : 0, static_cast<std::uint64_t>(its.whole()));
    else if (has_integers_)
        add_to_sum(0, static_cast<std::uint64_t>(value));
    const auto inexact = static_cast<double>(value);
    add_to_sum(inexact);
    if (!keep)
        return;
    if (exact_.empty() && inexact == value) {
        kept_.push_back(inexact);
        return;
    }
    keep_exactly();
    exact_.push_back(value);
}

void numbers::add(numbers&& other)
{
    if (other.count_ == 0)
        return;
    if (count_ == 0 || other.least_.number < least_.number)
        least_ = std::move(other.least_);
    if (count_ == 0 || greatest_.number < other.greatest_.number)
        greatest_ = std::move(other.greatest_);
    count_ += other.count_;
    has_integers_ = has_integers_ && other.has_integers_;
    add_to_sum(other.high_sum_, other.low_sum_);
    add_to_sum(other.sum_);
    add_to_sum(other.lost_);
    if (!exact_.empty() || !other.exact_.empty()) {
        keep_exactly();
        other.keep_exactly();
    }
    kept_.insert(kept_.end(), other.kept_.begin(), other.kept_.end());
    exact_.insert(exact_.end(), other.exact_.begin(), other.exact_.end());
}

void numbers::keep_exactly()
{
    exact_.insert(exact_.end(), kept_.begin(), kept_.end());
    kept_ = {};
}

json_value numbers::compute(const statistic& wanted)
{
    using kind = statistic::kind;
    if (wanted.kind_ == kind::sum)
        return sum();
    if (count_ == 0)
        return nullptr;
    switch (wanted.kind_) {
    case kind::mean:
        return inexact_sum() / static_cast<double>(count_);
    case kind::min:
        return least_.value;
    case kind::max:
        return greatest_.value;
    default:
        return quantile(wanted.share_);
    }
}

void numbers::add_to_sum(std::int64_t high, std::uint64_t low)
{
    high_sum_ += high + (__builtin_add_overflow(low_sum_, low, &low_sum_) ? 1 : 0);
}

void numbers::add_to_sum(double value)
{
    const double sum = sum_ + value;
    lost_ += std::abs(sum_) >= std::abs(value) ? (sum_ - sum) + value
                                               : (value - sum) + sum_;
    sum_ = sum;
}

json_value numbers::sum() const
{
    if (has_integers_ && high_sum_ == 0)
        return low_sum_;
    const auto negative = static_cast<std::int64_t>(low_sum_);
    if (has_integers_ && high_sum_ == -1 && negative < 0)
        return negative;
    return inexact_sum();
}

// JSON has no infinity, and writes null for it.
double numbers::inexact_sum() const
{
    constexpr long double beyond_64_bits = 0x1p64L;
    const auto whole = beyond_64_bits * static_cast<long double>(high_sum_) +
                       static_cast<long double>(low_sum_);
    const double sum = has_integers_ ? static_cast<double>(whole) : sum_ + lost_;
    if (!std::isfinite(sum))
        throw std::runtime_error(
            "a sum of numbers is beyond 1.8e308, the largest number; divide them before"
        );
    return sum;
}

json_value numbers::quantile(std::uint64_t share)
{
    const long double number = exact_.empty() ? quantile_of(kept_, share)
                                              : quantile_of(exact_, share);
    const bool is_whole = std::trunc(number) == number;
    if (is_whole && number >= 0 && number < 0x1p64L)
        return static_cast<std::uint64_t>(number);
    if (is_whole && number >= -0x1p63L && number < 0)
        return static_cast<std::int64_t>(number);
    return static_cast<double>(number);
}

}  // namespace sluice::pipeline
