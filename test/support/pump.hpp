// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <source_location>

namespace sluice::test {

namespace asio = boost::asio;

// Why: tests drive the io_context themselves, step by step or until something has happened,
// and never sleep in the hope that it has. All of them restart a context that ran out of
// work, and none may be used while another thread runs the context.

/// How long a wait for something that must happen may take before the test fails: longer than
/// under a sanitizer on a busy machine, so that only a hang takes that long.
inline constexpr std::chrono::seconds patience{120};

/// Run every ready handler and those that they make ready; waiting operations keep waiting.
/** Returns the number of handlers. Fails the test if they never come to an end. */
std::size_t run_dry(
    asio::io_context& context,
    std::source_location where = std::source_location::current()
);

/// Run handlers until the predicate holds, waiting for timers and other threads if need be.
/** The predicate is asked before each handler. Fails the test after `limit`. */
bool poll_until(
    asio::io_context& context,
    const std::function<bool()>& predicate,
    std::chrono::nanoseconds limit = patience,
    std::source_location where = std::source_location::current()
);

/// As poll_until, but only returns false; `when_dry` may make more work ready (true: it did).
[[nodiscard]] bool try_poll_until(
    asio::io_context& context,
    const std::function<bool()>& predicate,
    const std::function<bool()>& when_dry,
    std::chrono::nanoseconds limit
);

}  // namespace sluice::test
