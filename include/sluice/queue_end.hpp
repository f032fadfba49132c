// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <exception>
#include <string>

namespace sluice {

/// What closing a queue does to the enqueues that already wait.
enum class close_mode
{
    /// They finish as room appears.
    drain,

    /// They fail at once with `errc::queue_closed`; what they had put in stays in.
    cancel_pending
};

/// Who closed a queue.
enum class closer : unsigned char
{
    none,         ///< it is open; or that is not known, of a queue on a server
    caller,       ///< `close()` of the queue, or `feeder::fail()`
    producers,    ///< its runners and feeders, of which the last has ended
    stop,         ///< the stop of a coordinator, requested by a call or by an error
    signal,       ///< the stop of a coordinator, requested by a signal
    parent,       ///< the stop of a coordinator, because its parent has stopped
    coordinator,  ///< the stop of a coordinator that was destroyed
    destructor    ///< the destructor of the queue
};

/// The name in reports, such as "signal"; empty for `none`.
[[nodiscard]] const char* to_string(closer by) noexcept;

/// How a queue was closed. A consumer learns from it whether it has seen everything.
/**
 * Of several who close a queue the first counts; but the first who cuts it off counts more.
 */
struct queue_end
{
    closer by = closer::none;  ///< who closed it
    bool cut_off =
        false;  ///< consumers get `cause`, or errc::stop_requested if it is null,
                ///< where they would have got the end
    std::exception_ptr cause = nullptr;  ///< the error because of which it was closed
};

/// A text such as "closed by a stop after the error 'disk full'"; "open" for `none`.
[[nodiscard]] std::string to_string(const queue_end& end);

/// The message of the cause, or why there is none; empty if the queue was not cut off.
[[nodiscard]] std::string reason_of(const queue_end& end);

}  // namespace sluice
