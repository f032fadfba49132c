// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/error_condition.hpp>
#include <boost/system/system_error.hpp>

#include <exception>
#include <system_error>
#include <type_traits>

namespace sluice {

/// What a family of error codes has in common: its name, and the texts of its codes.
using error_category = boost::system::error_category;

/// The codes with which operations fail.
using error_code = boost::system::error_code;

/// A group of error codes that callers treat alike.
using error_condition = boost::system::error_condition;

/// The exception that carries an error code.
using system_error = boost::system::system_error;

/// What went wrong in an operation of a queue, a coordinator or a runner.
/**
 * The enumerators convert to `error_code`. An operation that was cancelled on its own
 * completes with `asio::error::operation_aborted` instead of a code of this enumeration.
 */
enum class errc
{
    /// The queue is closed to new elements, or was closed with
    /// `close_mode::cancel_pending` while the enqueue waited.
    queue_closed = 1,

    /// The queue is closed and holds fewer elements than were asked for: no more will come.
    end_of_queue,

    /// The operation's own deadline passed. Nothing was taken; of an enqueue_many, what did
    /// not go in is still with the caller.
    timed_out,

    /// The coordinator has been asked to stop and takes no new tasks.
    stop_requested,

    /// The grace period passed and tasks still run; `coordinator::tasks()` names them.
    tasks_still_running,

    /// An argument or an option is outside its documented range.
    invalid_argument,

    /// Copying or comparing an element, or taking memory for it, threw; only the throwing form of
    /// the operation can carry that exception.
    element_failed,

    /// A try_ form would have to wait: the queue has no room.
    queue_full,

    /// A try_ form would have to wait: the queue is open and has no element for it.
    queue_empty,

    /// A try_ form would have to wait: other operations wait already, and come first.
    queue_busy,

    /// The queue was closed with an exception that is no `system_error`; only the throwing form
    /// of the operation can carry it.
    input_failed
};

/// Groups of error codes that callers treat alike; compare a code with `==`.
enum class condition
{
    /// No more elements will come: `errc::end_of_queue`.
    end_of_stream = 1,

    /// An ordinary end of work, not a failure: `errc::end_of_queue`, `errc::queue_closed`
    /// and `errc::stop_requested`.
    clean_stop
};

/// The category of `errc`; its name is "sluice".
[[nodiscard]] const error_category& sluice_category() noexcept;

/// The category of `condition`; its name is "sluice.condition".
[[nodiscard]] const error_category& condition_category() noexcept;

/// The code of an enumerator; what converts an `errc` to an error_code.
[[nodiscard]] error_code make_error_code(errc code) noexcept;

/// The condition of an enumerator; what converts a `condition` to an error_condition.
[[nodiscard]] error_condition make_error_condition(condition group) noexcept;

namespace detail {

// The code that stands for an exception where only a code can be given: that of a system_error,
// Boost's or the standard library's, otherwise `fallback`.
[[nodiscard]] error_code code_of(
    const std::exception_ptr& exception,
    error_code fallback
) noexcept;

}  // namespace detail

}  // namespace sluice

namespace boost::system {

template <>
struct is_error_code_enum<sluice::errc> : std::true_type
{
};

template <>
struct is_error_condition_enum<sluice::condition> : std::true_type
{
};

}  // namespace boost::system
