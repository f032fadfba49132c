// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

// For functions that use a variable of the thread. Clang keeps the address of such a variable
// from before a suspension to after it, where the coroutine may be on another thread, if it
// sees the use before it splits the coroutine. What it calls it does not see. GCC splits
// coroutines first.
#ifdef __clang__
#define SLUICE_NOT_INTO_COROUTINES [[gnu::noinline]]
#else
#define SLUICE_NOT_INTO_COROUTINES
#endif

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
        if (spent_ == limit)
            return false;
        ++spent_;
        return true;
    }

    // The thread's coroutine suspends: what runs next starts afresh.
    SLUICE_NOT_INTO_COROUTINES static void reset() noexcept { spent_ = 0; }

private:
    static inline thread_local constinit int spent_ = 0;
};

}  // namespace sluice::detail
