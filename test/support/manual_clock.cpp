// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/manual_clock.hpp"

#include <atomic>
#include <memory>

namespace sluice::test {
namespace {

std::atomic<manual_clock::rep> ticks{0};

}  // namespace

manual_clock::time_point manual_clock::now() noexcept
{
    return time_point{duration{ticks}};
}

void manual_clock::reset() noexcept
{
    ticks = 0;
}

void manual_clock::advance(duration time) noexcept
{
    ticks += time.count();
}

void manual_clock::advance(
    asio::io_context& context,
    duration time,
    std::source_location where
)
{
    advance(time);
    // A timer that is due before all others makes Asio examine its queue, and with it them.
    manual_timer probe{context, time_point{} - std::chrono::hours{1}};
    const auto examined = std::make_shared<bool>(false);
    probe.async_wait([examined](auto) { *examined = true; });
    poll_until(context, [&] { return *examined; }, patience, where);
}

}  // namespace sluice::test
