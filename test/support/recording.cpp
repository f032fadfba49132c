// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/recording.hpp"

#include <boost/asio/error.hpp>

#include <string>

namespace sluice::test::detail {

void record_state::note_call()
{
    if (calls == 0) {
        executors = running_executors();
        inside_initiation = initiation_guard::active();
    }
    ++calls;
    if (const auto function = std::exchange(then, nullptr))
        function();
}

void record_state::note_destruction() noexcept
{
    if (calls == 0)
        abandoned = true;
}

void check_pending(const record_state& state, std::source_location where)
{
    check(state.calls == 0, "the operation has completed", where);
    check(!state.abandoned, "the handler was destroyed without being called", where);
}

void check_abandoned(const record_state& state, std::source_location where)
{
    check(
        state.abandoned,
        state.calls != 0 ? "the operation has completed" : "the handler still exists",
        where
    );
}

bool check_done(const record_state& state, std::source_location where)
{
    if (state.calls == 0) {
        return check(
            false,
            state.abandoned ? "the handler was destroyed without being called"
                            : "the operation has not completed",
            where
        );
    }
    check(
        state.calls == 1,
        "the handler was called " + std::to_string(state.calls) + " times",
        where
    );
    check(
        !state.inside_initiation,
        "the handler was called inside an initiating function",
        where
    );
    if (state.expected_executor != 0)
        check_executor(state, state.expected_executor, where);
    return true;
}

void check_executor(const record_state& state, int id, std::source_location where)
{
    const int actual = state.executors.empty() ? 0 : state.executors.back();
    check(
        actual == id,
        "the handler was called on executor " + std::to_string(actual) + ", not " +
            std::to_string(id),
        where
    );
}

boost::system::error_code code_of(const std::exception_ptr& error)
{
    try {
        if (error)
            std::rethrow_exception(error);
        return {};
    } catch (const boost::system::system_error& e) {
        return e.code();
    } catch (...) {
        // Some error that equals none a test would expect.
        return asio::error::make_error_code(asio::error::no_recovery);
    }
}

}  // namespace sluice::test::detail
