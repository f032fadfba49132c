// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/pump.hpp"

#include "support/check.hpp"

#include <string>
#include <thread>

namespace sluice::test {
namespace {

// More handlers than any test needs: beyond it two of them keep posting each other.
constexpr std::size_t handler_limit = 1'000'000;

std::size_t poll_one(asio::io_context& context)
{
    if (context.stopped())
        context.restart();
    return context.poll_one();
}

}  // namespace

std::size_t run_dry(asio::io_context& context, std::source_location where)
{
    std::size_t count = 0;
    while (poll_one(context) != 0) {
        if (++count == handler_limit) {
            fail("the handlers of the io_context never come to an end", where);
            break;
        }
    }
    return count;
}

bool poll_until(
    asio::io_context& context,
    const std::function<bool()>& predicate,
    std::chrono::nanoseconds limit,
    std::source_location where
)
{
    if (try_poll_until(context, predicate, [] { return false; }, limit))
        return true;
    fail("what was waited for did not happen in time", where);
    return false;
}

bool try_poll_until(
    asio::io_context& context,
    const std::function<bool()>& predicate,
    const std::function<bool()>& when_dry,
    std::chrono::nanoseconds limit
)
{
    using clock = std::chrono::steady_clock;
    const auto deadline = clock::now() + limit;
    bool is_late = false;
    while (!predicate()) {
        if (poll_one(context) != 0 || when_dry())
            continue;
        if (is_late)
            return false;
        // Once more, because it may have been this process that stood still.
        is_late = clock::now() >= deadline;
        // Blocks until a handler is ready; the bound is for predicates that other threads
        // make true without a handler. Returns at once when there is no work at all.
        if (context.run_one_for(std::chrono::milliseconds{1}) == 0)
            std::this_thread::yield();
    }
    return true;
}

}  // namespace sluice::test
