// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/detail/fair_start.hpp>

#include <cstdint>
#include <random>

namespace sluice::detail {

std::size_t fair_start(std::size_t count) noexcept
{
    // Not for secrets: each thread begins elsewhere, and that will do.
    thread_local std::minstd_rand lot(
        static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(&lot) >> 4U)
    );
    return lot() % count;
}

}  // namespace sluice::detail
