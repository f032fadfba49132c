// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

namespace sluice {

/// What closing a queue does to the enqueues that already wait.
enum class close_mode
{
    /// They finish as room appears.
    drain,

    /// They fail at once with `errc::queue_closed`; what they had put in stays in.
    cancel_pending
};

}  // namespace sluice
