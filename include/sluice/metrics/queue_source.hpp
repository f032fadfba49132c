// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/metrics/snapshot.hpp>

namespace sluice {
namespace detail {

class wait_hub;

}  // namespace detail

namespace metrics {

/// A queue as a monitor looks at it.
/**
 * Queues of this process have one that the monitor makes. A redis::queue has one that asks its
 * server in the background, and only while a program takes snapshots. Write another for a queue
 * that is elsewhere, and give it to monitor::add().
 *
 * @par Thread safety  all members from any thread.
 */
class queue_source
{
public:
    queue_source() = default;
    queue_source(const queue_source&) = delete;
    queue_source& operator=(const queue_source&) = delete;
    virtual ~queue_source() = default;

    /// What is known of the queue now.
    /**
     * Never waits. Where the answer comes from elsewhere, a look has it asked for and gives the one
     * before, and queue_snapshot::remote says how old that is. Called under the lock of the
     * monitor, so it must not call that.
     */
    [[nodiscard]] virtual queue_snapshot look() = 0;

    /// Whether the queue of this process is gone. The monitor then leaves the queue out for good.
    [[nodiscard]] virtual bool is_over() const noexcept = 0;

    /// @cond
    // The hub in which operations of this process wait, as the wait logs of their tasks name it;
    // null if they are not seen there.
    [[nodiscard]] virtual const sluice::detail::wait_hub* hub() const noexcept
    {
        return nullptr;
    }

    // What a task does that waits in this list of the hub.
    [[nodiscard]] virtual activity doing_in(unsigned char /*list*/) const noexcept
    {
        return activity::idle;
    }
    /// @endcond
};

}  // namespace metrics
}  // namespace sluice
