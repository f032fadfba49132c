// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_type.hpp>

#include <string>

namespace sluice {

/// How a task runs, where that differs from the other tasks of its coordinator.
struct task_options
{
    /// For reports and messages; need not be unique. Empty by default.
    std::string name = {};

    /// Where the task runs. A strand: on that strand, which it may share with other tasks and with
    /// objects such as a socket. Another executor: on a new strand over it. Empty, the default: the
    /// executor of the coordinator. Its context must outlive the task, and
    /// a stop and task_handle::cancel() of another thread that have begun (S23).
    boost::asio::any_io_executor executor = {};

    /// The type of cancellation that a stop emits to the task; all by default. With none the stop
    /// does not reach it: it ends by itself, for instance when its queue is drained, or is
    /// cancelled by its task_handle. join() waits for it, up to the end of the grace period.
    boost::asio::cancellation_type on_stop = boost::asio::cancellation_type::all;
};

}  // namespace sluice
