// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/core_parts.hpp>
#include <sluice/detail/not_into_coroutines.hpp>

namespace sluice::detail {

// Guards P5: a coroutine whose operations are always ready never suspends, and so would
// keep every other coroutine of its thread waiting. After `limit` operations in a row that
// did not suspend, one is completed through the scheduler. The count belongs to the thread,
// because what starves is whatever else is queued for that thread.
class budget
{
public:
    static constexpr int limit = 128;

    // True while one more operation may complete without suspending.
    SLUICE_NOT_INTO_COROUTINES static bool take() noexcept
    {
        return !core_parts::budget || (spent_ < limit && (++spent_, true));
    }

    // The thread's coroutine suspends: what runs next starts afresh.
    SLUICE_NOT_INTO_COROUTINES static void reset() noexcept { spent_ = 0; }

private:
    static inline thread_local constinit int spent_ = 0;
};

}  // namespace sluice::detail
