// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/co_test.hpp"

#include "support/check.hpp"

#include <string>
#include <utility>

namespace sluice::test {

void run_co_test(
    io_fixture& fixture,
    std::string_view name,
    asio::awaitable<void> body,
    std::chrono::nanoseconds limit,
    std::source_location where
)
{
    const auto coroutine = fixture.spawn(std::move(body), where);
    if (!fixture.try_run_until([&] { return coroutine.done(); }, limit)) {
        fail("the body of " + std::string{name} + " has not ended", where);
        fixture.leave_waiting();
        return;
    }
    // What the body left ready (siblings, completions of destroyed queues) may still end.
    fixture.run(where);
    coroutine.result(where);
}

}  // namespace sluice::test
