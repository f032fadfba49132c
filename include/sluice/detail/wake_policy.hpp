// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/kept_wakes.hpp>
#include <sluice/detail/not_into_coroutines.hpp>
#include <sluice/detail/threads_exist.hpp>

#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>

namespace sluice::detail {

// How long a thread's handlers went on lately after they had woken somebody.
class recent_runs
{
public:
    using clock = std::chrono::steady_clock;

    // About what it costs to wake a thread, for the one that wakes and again for the other.
    static constexpr std::chrono::microseconds short_run{5};
    // Further apart they are not worth a timer that looks after what is kept.
    static constexpr std::chrono::microseconds close_together{100};
    // So many in a row are trusted to be followed by others; twice as many after each time
    // that this was wrong.
    static constexpr int trusted = 32;
    static constexpr int trusted_at_last = 1 << 20;

    // True if the run was short.
    bool add(clock::time_point began, clock::time_point ended) noexcept
    {
        const bool is_short = ended - began <= short_run;
        const bool is_close = began - last_ <= close_together;
        short_ = is_short ? (is_close ? short_ : 0) + 1 : 0;
        last_ = began;
        return is_short;
    }

    [[nodiscard]] bool are_short() const noexcept { return short_ >= needed_; }

    void forget() noexcept { short_ = 0; }

    void distrust() noexcept { needed_ = std::min(2 * needed_, trusted_at_last); }

private:
    clock::time_point last_{};  // the last one began
    int short_ = 0;             // short ones in a row, close together
    int needed_ = trusted;
};

// Decides where somebody goes on who is woken by a thread of an io_context: on any thread,
// like whatever is posted, or on this one.
//
// To wake a sleeping thread takes several microseconds, more than most coroutines run between
// two waits; for those a hand-over to another thread is slower than none. But what runs for
// longer must not hold up whom it woke. So each thread measures its handlers, and keeps the
// wakes to itself while they are short.
class wake_policy
{
public:
    // What keeps the wakes of this thread for the context; null: the next one is posted.
    [[nodiscard]] static kept_wakes* keeper(boost::asio::io_context& context) noexcept
    {
        return threads_exist() && context.get_executor().running_in_this_thread()
                   ? decide(context)
                   : nullptr;
    }

    // A coroutine suspends or somebody is resumed: what woke somebody before is over.
    SLUICE_NOT_INTO_COROUTINES static void run_ends() noexcept
    {
        if (measures_)
            end_measurement();
    }

private:
    static kept_wakes* decide(boost::asio::io_context& context) noexcept;
    static kept_wakes* begin_keeping(boost::asio::io_context& context) noexcept;
    static void begin_measurement() noexcept;
    static void end_measurement() noexcept;

    static inline thread_local constinit bool measures_ = false;
};

}  // namespace sluice::detail
