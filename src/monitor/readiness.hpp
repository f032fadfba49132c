// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/wait_log.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <chrono>

namespace sluice::detail {

// How long a supervised task has been ready without a free thread, for an account of its time that
// is exact. May outlive the task; any thread reads.
class readiness
{
public:
    using clock = std::chrono::steady_clock;

    // Of no task, which is never ready.
    readiness() = default;

    // Of the task to which this executor belongs, and which makes it; of none if that is not
    // supervised.
    explicit readiness(const boost::asio::any_io_executor& executor);

    struct reading
    {
        clock::duration time{};
        bool is_ready = false;
    };

    // The time up to now, with that in which it waited to begin. No later reading has less.
    [[nodiscard]] reading read(clock::time_point now) const noexcept;

private:
    boost::intrusive_ptr<const wait_log> log_;
};

}  // namespace sluice::detail
