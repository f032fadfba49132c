// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/task/retry.hpp>

#include <sluice/error.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace sluice::detail {
namespace {

void require(bool holds, const char* otherwise)
{
    if (!holds)
        throw system_error(errc::invalid_argument, otherwise);
}

retry_policy checked(const retry_policy& policy)
{
    require(policy.attempts >= 1, "retry: attempts must be at least 1");
    require(policy.first_delay.count() >= 0, "retry: first_delay is negative");
    require(policy.max_delay.count() >= 0, "retry: max_delay is negative");
    require(
        policy.factor >= 1.0 && std::isfinite(policy.factor),
        "retry: factor must be at least 1, and finite"
    );
    require(
        policy.jitter >= 0.0 && policy.jitter <= 1.0,
        "retry: jitter must be from 0 to 1"
    );
    return policy;
}

// Asking the system for a number costs more than most attempts.
std::uint64_t start_of(const retry_policy& policy)
{
    if (policy.seed)
        return *policy.seed;
    return policy.jitter > 0 ? std::random_device{}() : 0;
}

// From 0 to below 1, by SplitMix64.
double chance(std::uint64_t& state) noexcept
{
    state += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = state;
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
    mixed ^= mixed >> 31U;
    return static_cast<double>(mixed >> 11U) * 0x1.0p-53;
}

}  // namespace

retry_delays::retry_delays(const retry_policy& policy)
    : policy_(checked(policy)),
      next_(static_cast<double>(policy.first_delay.count())),
      state_(start_of(policy))
{
}

std::chrono::nanoseconds retry_delays::next()
{
    const double longest = static_cast<double>(policy_.max_delay.count());
    const double full = std::min(next_, longest);
    next_ = std::min(next_ * policy_.factor, longest);
    const double part = 1.0 - policy_.jitter * chance(state_);
    // A double cannot tell the longest durations from those that are too long.
    const double limit = 9.2e18;
    return std::chrono::nanoseconds(
        static_cast<std::chrono::nanoseconds::rep>(std::min(full * part, limit))
    );
}

bool ends_retries(const std::exception_ptr& error) noexcept
{
    const error_code code = code_of(error, errc::element_failed);
    return code == boost::asio::error::operation_aborted || code == condition::clean_stop;
}

}  // namespace sluice::detail
