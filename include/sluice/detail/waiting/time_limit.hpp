// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

namespace sluice::detail {

// How long an operation may wait: for ever, for a duration that starts when it begins to
// wait, or until a time point.
class time_limit
{
public:
    using clock = std::chrono::steady_clock;

    time_limit() = default;

    // Inline, because the duration is most often a constant, and then nothing is left to ask.
    template <class Rep, class Period>
    [[gnu::always_inline]] static time_limit within(
        std::chrono::duration<Rep, Period> duration
    )
    {
        // A duration beyond what the clock can count means for ever; what is no number, none.
        const std::chrono::duration<double> seconds = duration;
        if (seconds > std::chrono::duration<double>(longest))
            return {};
        if (!(seconds >= std::chrono::duration<double>(0)))
            return time_limit(0);
        return time_limit(std::chrono::ceil<clock::duration>(duration).count());
    }

    static time_limit until(clock::time_point when)
    {
        // One before the epoch of the clock has passed as much as the epoch.
        return time_limit(~std::max<rep>(when.time_since_epoch().count(), 0));
    }

    // A time point of another clock counts as the duration until then, from now.
    template <class Clock, class Duration>
    static time_limit until(std::chrono::time_point<Clock, Duration> when)
    {
        // What the clock cannot count must not overflow.
        using seconds = std::chrono::duration<double>;
        const seconds left = seconds(when.time_since_epoch()) -
                             seconds(Clock::now().time_since_epoch());
        if (left > seconds(longest))
            return {};
        if (!(left >= -seconds(longest)))  // or no number
            return until(clock::time_point::min());
        return until(
            clock::now() + std::chrono::ceil<clock::duration>(when - Clock::now())
        );
    }

    [[nodiscard]] bool is_set() const noexcept { return value_ != for_ever; }

    // The limit of the same operation once it has this one.
    [[nodiscard]] static time_limit replaced_by(time_limit other) { return other; }

    [[nodiscard]] bool has_passed() const
    {
        return value_ == 0 || (value_ < 0 && deadline() <= clock::now());
    }

    // The deadline of an operation that begins to wait at `now`.
    [[nodiscard]] clock::time_point deadline(clock::time_point now = clock::now()) const
    {
        if (!is_set())
            return clock::time_point::max();
        return value_ < 0 ? clock::time_point(clock::duration(~value_))
                          : now + clock::duration(value_);
    }

private:
    using rep = clock::rep;

    explicit time_limit(rep value) : value_(value) {}

    static constexpr std::chrono::hours longest{24 * 365 * 100};
    static constexpr rep for_ever = clock::duration::max().count();

    // A duration; or below zero, inverted, a time point. One word, because operations with a
    // limit are copied, and what has just been written in parts is slow to copy as a whole.
    rep value_ = for_ever;
};

// The limit of an operation that waits for ever, and needs no room to say so.
struct no_limit
{
    [[nodiscard]] static time_limit replaced_by(time_limit other) { return other; }

    [[nodiscard]] static constexpr bool is_set() noexcept { return false; }
    [[nodiscard]] static constexpr bool has_passed() noexcept { return false; }
};

// The limits of a batch that lingers: how long it waits for the first element, and then for the
// others.
class linger_limit
{
public:
    linger_limit(no_limit /*first*/, time_limit others) : others_(others) {}
    linger_limit(time_limit first, time_limit others) : first_(first), others_(others) {}

    [[nodiscard]] linger_limit replaced_by(time_limit first) const
    {
        return {first, others_};
    }

    [[nodiscard]] const time_limit& first() const noexcept { return first_; }
    [[nodiscard]] const time_limit& others() const noexcept { return others_; }

    [[nodiscard]] static constexpr bool is_set() noexcept { return true; }
    [[nodiscard]] bool has_passed() const { return first_.has_passed(); }

private:
    time_limit first_;
    time_limit others_;
};

// That of an operation with `Limit` that is given a time limit.
template <class Limit>
using limited = decltype(std::declval<const Limit&>().replaced_by(time_limit()));

}  // namespace sluice::detail
