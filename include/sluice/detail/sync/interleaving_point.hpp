// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#ifdef SLUICE_INTERLEAVING_POINTS
#include <atomic>
#endif

namespace sluice::detail {

// A place at which a thread may lose its processor with consequences: around a lock, between
// a decision and its delivery, between an attempt and the wait. Where the macro is defined, in
// builds for tests only, a test can see to it that threads often do; elsewhere it is nothing.
#ifdef SLUICE_INTERLEAVING_POINTS

inline std::atomic<void (*)() noexcept> interleaving_hook{nullptr};

inline void interleaving_point() noexcept
{
    if (const auto hook = interleaving_hook.load(std::memory_order_relaxed))
        hook();
}

#else

inline void interleaving_point() noexcept {}

#endif

}  // namespace sluice::detail
