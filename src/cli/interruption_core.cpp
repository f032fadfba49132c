// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "interruption_core.hpp"

#include <algorithm>

namespace sluice::cli {

interruption_core::interruption_core(const limits& given, time_point start)
    : limits_(given)
{
    if (limits_.timeout)
        timeout_ = start + *limits_.timeout;
}

run_order interruption_core::on_interruption(interruption what, time_point now)
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

run_order interruption_core::on_time(time_point now, bool has_failed)
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

void interruption_core::on_end() noexcept
{
    phase_ = phase::over;
    limit_.reset();
}

void interruption_core::linger(std::chrono::nanoseconds time, time_point now)
{
    if (time != time.max())
        limit_ = now + time;
}

std::optional<interruption_core::time_point> interruption_core::deadline() const
{
    const bool can_time_out = phase_ == phase::running || phase_ == phase::draining;
    if (!can_time_out || !timeout_)
        return limit_;
    return limit_ ? std::min(*limit_, *timeout_) : timeout_;
}

run_order interruption_core::drain(time_point now)
{
    phase_ = phase::draining;
    end_ = run_end::drained;
    limit_ = now + limits_.drain;
    return run_order::drain;
}

run_order interruption_core::stop(run_end as, time_point now)
{
    phase_ = phase::stopping;
    end_ = as;
    limit_ = now + limits_.patience;
    return run_order::stop;
}

}  // namespace sluice::cli
