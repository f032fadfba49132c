// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace sluice::cli {

// How a run ended.
enum class run_end
{
    done,
    failed,
    timed_out,
    drained,  // interrupted once: what had been read was processed
    stopped   // interrupted twice
};

// What comes from outside, but for time.
enum class interruption
{
    interrupt,  // SIGINT, SIGTERM
    hangup,     // SIGHUP; when a terminal ends, its shell and the kernel send one each
    drain,      // the page asks for it
    stop,       // the page asks for it
    silence     // a server that has never answered: a drain would wait for it in vain
};

// What a run does about it.
enum class run_order
{
    none,
    drain,
    stop,
    give_up,  // the run is over although workers still run
    leave,    // nothing is left to wait for
    exit      // the process ends at once
};

// What interruptions and limits make of a run.
/*
 *     running --interrupt--> draining --interrupt--> stopping --interrupt--> exit
 *        |                      |                       |
 *        +---------- end of the pipeline, or of the patience ----------> over
 *
 * It has no clock: each call says what time it is, and deadline() when on_time() is to be called.
 * Thread safety: none.
 */
class interruption_core
{
public:
    using time_point = std::chrono::steady_clock::time_point;

    struct limits
    {
        std::optional<std::chrono::nanoseconds> timeout;
        std::chrono::nanoseconds drain;     // afterwards a drain becomes a stop
        std::chrono::nanoseconds patience;  // from a stop until the run is given up
    };

    interruption_core(const limits& given, time_point start) : limits_(given)
    {
        if (limits_.timeout)
            timeout_ = start + *limits_.timeout;
    }

    [[nodiscard]] run_order on_interruption(interruption what, time_point now)
    {
        const bool is_signal = what == interruption::interrupt ||
                               what == interruption::hangup;
        switch (phase_) {
        case phase::running:
            if (what == interruption::stop)
                return stop(run_end::stopped, now);
            return what == interruption::silence ? run_order::none : drain(now);
        case phase::draining:
            if (what == interruption::hangup || what == interruption::drain)
                return run_order::none;
            return stop(run_end::stopped, now);
        case phase::stopping:
            return what == interruption::interrupt ? run_order::exit : run_order::none;
        case phase::over:
            return is_signal ? run_order::leave : run_order::none;
        }
        return run_order::none;
    }

    // `has_failed`: an error stops the pipeline already, so that the timeout is not to blame.
    [[nodiscard]] run_order on_time(time_point now, bool has_failed)
    {
        const auto has_come = [now](const auto& time) { return time && *time <= now; };
        switch (phase_) {
        case phase::running:
        case phase::draining:
            if (has_come(timeout_))
                return stop(has_failed ? run_end::failed : run_end::timed_out, now);
            return has_come(limit_) ? stop(run_end::stopped, now) : run_order::none;
        case phase::stopping:
            if (!has_come(limit_))
                return run_order::none;
            on_end();
            return run_order::give_up;
        case phase::over:
            return has_come(limit_) ? run_order::leave : run_order::none;
        }
        return run_order::none;
    }

    // The pipeline has ended.
    void on_end() noexcept
    {
        phase_ = phase::over;
        limit_.reset();
    }

    // Keeps the page for this time from now on; the longest one lasts until an interruption.
    void linger(std::chrono::nanoseconds time, time_point now)
    {
        if (time != time.max())
            limit_ = now + time;
    }

    [[nodiscard]] std::optional<time_point> deadline() const
    {
        const bool can_time_out = phase_ == phase::running || phase_ == phase::draining;
        if (!can_time_out || !timeout_)
            return limit_;
        return limit_ ? std::min(*limit_, *timeout_) : timeout_;
    }

    [[nodiscard]] bool is_over() const noexcept { return phase_ == phase::over; }

    // How a run is called that ends now, or has ended, without an error of its own.
    [[nodiscard]] run_end end() const noexcept { return end_; }

private:
    enum class phase
    {
        running,
        draining,
        stopping,
        over
    };

    run_order drain(time_point now)
    {
        phase_ = phase::draining;
        end_ = run_end::drained;
        limit_ = now + limits_.drain;
        return run_order::drain;
    }

    run_order stop(run_end as, time_point now)
    {
        phase_ = phase::stopping;
        end_ = as;
        limit_ = now + limits_.patience;
        return run_order::stop;
    }

    limits limits_;
    phase phase_ = phase::running;
    run_end end_ = run_end::done;
    std::optional<time_point> timeout_;  // counts while it runs or drains
    std::optional<time_point> limit_;    // of the phase
};

}  // namespace sluice::cli
