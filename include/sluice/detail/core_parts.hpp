// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <algorithm>

#if !defined(SLUICE_PRICE_BUILD) &&                                          \
    (defined(SLUICE_WITHOUT_STATISTICS) || defined(SLUICE_WITHOUT_BUDGET) || \
     defined(SLUICE_WITHOUT_TAKE_BACK) || defined(SLUICE_WITHOUT_CLOSING))
#error "a sluice without one of its parts is for benchmarks of that part only"
#endif

namespace sluice::detail {

// What the core does besides moving elements. All of it is there in every build but those of
// a benchmark that says what each part costs. A program without one keeps fewer promises, and
// all its sources must agree on the macros.
struct core_parts
{
#ifdef SLUICE_WITHOUT_STATISTICS
    static constexpr bool statistics = false;
#else
    static constexpr bool statistics = true;
#endif

#ifdef SLUICE_WITHOUT_BUDGET
    static constexpr bool budget = false;
#else
    static constexpr bool budget = true;
#endif

    // A cancellation that comes before the delivery gives back what was handed out.
#ifdef SLUICE_WITHOUT_TAKE_BACK
    static constexpr bool take_back = false;
#else
    static constexpr bool take_back = true;
#endif

    // Queues can be closed, and contexts destroyed while something waits in them.
#ifdef SLUICE_WITHOUT_CLOSING
    static constexpr bool closing = false;
#else
    static constexpr bool closing = true;
#endif
};

// A number for stats() only.
template <class Number>
class statistic
{
public:
    // NOLINTNEXTLINE(google-explicit-constructor): it is read as the number
    operator Number() const noexcept { return value_; }

    statistic& operator++() noexcept { return *this += 1; }

    statistic& operator+=(Number addend) noexcept
    {
        if constexpr (core_parts::statistics)
            value_ += addend;
        return *this;
    }

    void raise_to(Number value) noexcept
    {
        if constexpr (core_parts::statistics)
            value_ = std::max(value_, value);
    }

private:
    Number value_ = 0;
};

// Whether something is closed.
class closed_flag
{
public:
    closed_flag& operator=(bool value) noexcept
    {
        value_ = value;
        return *this;
    }

    // NOLINTNEXTLINE(google-explicit-constructor): it is read as a bool
    operator bool() const noexcept { return core_parts::closing && value_; }

private:
    bool value_ = false;
};

}  // namespace sluice::detail
