// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/io_fixture.hpp"

#include "support/check.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <string>

namespace sluice::test {
namespace {

// Marks the time in which the fixture runs handlers, also when one of them throws.
class running_scope
{
public:
    explicit running_scope(bool& running) : running_{running} { running_ = true; }
    running_scope(const running_scope&) = delete;
    running_scope& operator=(const running_scope&) = delete;
    ~running_scope() { running_ = false; }

private:
    bool& running_;
};

}  // namespace

io_fixture::io_fixture()
    : settled_{ctx, asio::steady_timer::time_point::max()},
      uncaught_{std::uncaught_exceptions()}
{
}

io_fixture::~io_fixture()
{
    if (std::uncaught_exceptions() > uncaught_)
        return;
    if (const auto count = run_dry(ctx); count != 0)
        fail(std::to_string(count) + " handlers were ready when the test ended");
    else if (!ctx.stopped() && !may_leave_waiting_)
        fail("an operation was still waiting when the test ended");
}

std::size_t io_fixture::run(std::source_location where)
{
    if (!check(!running_, "run() called by a handler; co_await settle() instead", where))
        return 0;
    running_scope scope{running_};
    std::size_t count = 0;
    do
        count += run_dry(ctx, where);
    while (release_settlers());
    return count;
}

bool io_fixture::run_until(
    const std::function<bool()>& predicate,
    std::chrono::nanoseconds limit,
    std::source_location where
)
{
    return check(
        try_run_until(predicate, limit),
        "what was waited for did not happen in time",
        where
    );
}

bool io_fixture::try_run_until(
    const std::function<bool()>& predicate,
    std::chrono::nanoseconds limit
)
{
    running_scope scope{running_};
    return try_poll_until(ctx, predicate, [this] { return release_settlers(); }, limit);
}

asio::awaitable<void> io_fixture::settle()
{
    ++settlers_;
    co_await settled_.async_wait(asio::as_tuple(asio::use_awaitable));
}

bool io_fixture::release_settlers()
{
    if (std::exchange(settlers_, 0) == 0)
        return false;
    return settled_.cancel() != 0;
}

}  // namespace sluice::test
