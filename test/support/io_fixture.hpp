// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "support/pump.hpp"
#include "support/spawned.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <source_location>
#include <utility>

namespace sluice::test {

// Why: every Asio test needs an io_context that it drives itself, and a forgotten handler or
// an operation that never completes must fail the test that caused it.

/// An io_context for one test; its destructor checks that nothing was left behind.
class io_fixture
{
public:
    io_fixture();
    io_fixture(const io_fixture&) = delete;
    io_fixture& operator=(const io_fixture&) = delete;

    /// Fails the test if a handler is still ready or an operation still waits.
    /** Checks nothing while an exception passes, or the second part after leave_waiting(). */
    ~io_fixture();

    /// Run everything that is ready; waiting operations keep waiting. Returns the number of
    /// handlers. Not from within a handler: a coroutine awaits settle() instead.
    std::size_t run(std::source_location where = std::source_location::current());

    /// Run until the predicate holds, waiting for timers and other threads if need be.
    bool run_until(
        const std::function<bool()>& predicate,
        std::chrono::nanoseconds limit = patience,
        std::source_location where = std::source_location::current()
    );

    /// As run_until, but only returns false when the limit has passed.
    [[nodiscard]] bool try_run_until(
        const std::function<bool()>& predicate,
        std::chrono::nanoseconds limit = patience
    );

    /// Start an awaitable, an operation, or a callable returning one, on the context.
    template <detail::spawnable Work>
    auto spawn(Work work, std::source_location where = std::source_location::current())
    {
        return test::spawn(ctx.get_executor(), std::move(work), where);
    }

    /// Run until the coroutine has ended; returns its result or throws its exception.
    template <class T>
    T run_until_done(
        const spawned<T>& coroutine,
        std::source_location where = std::source_location::current()
    )
    {
        run_until([&] { return coroutine.done(); }, patience, where);
        return coroutine.result(where);
    }

    /// Start a coroutine and run until it has ended.
    template <detail::spawnable Work>
    auto run_until_done(
        Work work,
        std::source_location where = std::source_location::current()
    ) -> typename detail::work_result<Work>::type
    {
        return run_until_done(spawn(std::move(work), where), where);
    }

    /// For a coroutine: continue when all other work has run dry (in run() or run_until()).
    asio::awaitable<void> settle();

    /// Declare that operations are meant to be waiting when the test ends.
    void leave_waiting() noexcept { may_leave_waiting_ = true; }

    asio::io_context ctx;

private:
    bool release_settlers();

    asio::steady_timer settled_;      // never expires; cancelled when the context is dry
    std::size_t settlers_ = 0;        // coroutines awaiting settled_
    int uncaught_;                    // exceptions in flight at construction
    bool running_ = false;            // inside run() or run_until()
    bool may_leave_waiting_ = false;  // see leave_waiting()
};

}  // namespace sluice::test
