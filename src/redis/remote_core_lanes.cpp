// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// When a remote_core may send, and what it does when the queue or the connection goes.

#include "redis/command.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/detail/remote_core.hpp>

#include <boost/asio/error.hpp>

#include <array>
#include <mutex>
#include <utility>

namespace sluice::redis::detail {

// Closing -------------------------------------------------------------------------------------

void remote_core::close(close_mode mode, std::exception_ptr cause) noexcept
{
    critical_section section(*this);
    if (has_left_ || is_orphaned_)
        return;
    if (mode == close_mode::drain && !cause) {
        must_close_ = must_close_ || (!is_closed_ && !fenced_.code.failed());
        serve(section);
    } else {
        leave(cause, section);
    }
}

void remote_core::leave(
    const std::exception_ptr& cause,
    critical_section& section
) noexcept
{
    has_left_ = true;
    fail_list(producers_, {sluice::errc::queue_closed, cause}, section);
    fail_list(consumers_, {boost::asio::error::operation_aborted, cause}, section);
    serve(section);
}

bool remote_core::is_closed() const noexcept
{
    const std::lock_guard lock(mutex_);
    return is_closed_ || must_close_ || has_left_;
}

bool remote_core::is_orphaned() const noexcept
{
    const std::lock_guard lock(mutex_);
    return is_orphaned_;
}

void remote_core::shut_down() noexcept
{
    critical_section section(*this);
    is_orphaned_ = true;
    leave(nullptr, section);
    fail_list(queries_, {boost::asio::error::operation_aborted, nullptr}, section);
}

// The connection ------------------------------------------------------------------------------

void remote_core::connected() noexcept
{
    {
        const std::lock_guard lock(mutex_);
        is_connected_ = true;
        stage_ = stage::closed;
        out_of_reach_ = {};
    }
    pump();
}

void remote_core::lost() noexcept
{
    critical_section section(*this);
    is_connected_ = false;
    stage_ = stage::closed;
    for (lane_state* state : {&opening_, &enqueuing_, &dequeuing_, &settling_, &asking_})
        *state = {};
    fail_those_that_ask_once(producers_, section);
    fail_those_that_ask_once(consumers_, section);
}

void remote_core::out_of_reach(error_code why, std::exception_ptr cause) noexcept
{
    critical_section section(*this);
    out_of_reach_ = {why, std::move(cause)};
    fail_all(out_of_reach_, section);
}

void remote_core::on_event(char what) noexcept
{
    {
        const std::lock_guard lock(mutex_);
        if (what != 'r')
            unblock(dequeuing_);
        if (what != 'i')
            unblock(enqueuing_);
        // It was refused, which may have changed.
        if (stage_ == stage::opening && !opening_.is_busy && what == poll)
            stage_ = stage::closed;
    }
    pump();
}

void remote_core::request_pump() noexcept
{
    if (is_pump_posted_ || !has_work())
        return;
    try {
        if (const auto sink = sink_.lock()) {
            is_pump_posted_ = true;
            sink->post_pump(*this);
        }
    } catch (...) {
        is_pump_posted_ = false;  // the poll comes to it
    }
}

// Without a lock, and so for start() only: pump() may run in it.
void remote_core::pump_at_once() noexcept
{
    const auto sink = sink_.lock();
    if (sink == nullptr)
        return;
    {
        const std::lock_guard lock(mutex_);
        if (is_pump_posted_ || !has_work())
            return;
        is_pump_posted_ = true;
    }
    try {
        sink->run_pump(*this);
    } catch (...) {
        const std::lock_guard lock(mutex_);
        is_pump_posted_ = false;  // the poll comes to it
    }
}

bool remote_core::has_work() const noexcept
{
    const auto is_free = [](const lane_state& state) {
        return !state.is_busy && !state.is_blocked;
    };
    if (stage_ != stage::open)
        return is_connected_ && stage_ == stage::closed;
    return (is_free(enqueuing_) && !producers_.empty()) ||
           (is_free(dequeuing_) && !consumers_.empty()) ||
           (is_free(settling_) && !settlements_.empty()) ||
           (is_free(asking_) && (must_close_ || !queries_.empty()));
}

void remote_core::serve(critical_section& /*section*/) noexcept
{
    request_pump();
}

void remote_core::pump() noexcept
{
    const auto sink = sink_.lock();
    if (sink == nullptr)
        return;
    static constexpr std::array lanes{
        lane::opening,
        lane::settling,  // first what makes room
        lane::enqueuing,
        lane::dequeuing,
        lane::asking
    };
    bool has_sent = false;
    for (const lane from : lanes) {
        command text;
        try {
            const std::lock_guard lock(mutex_);
            is_pump_posted_ = false;
            text = next_command(from);
        } catch (...) {
            continue;  // without memory; the poll comes to it
        }
        if (text.empty())
            continue;
        sink->send(*this, from, std::move(text));
        has_sent = true;
    }
    if (has_sent)
        sink->flush();
}

remote_core::lane_state& remote_core::state_of(lane from) noexcept
{
    switch (from) {
    case lane::opening:
        return opening_;
    case lane::enqueuing:
        return enqueuing_;
    case lane::dequeuing:
        return dequeuing_;
    case lane::settling:
        return settling_;
    default:
        return asking_;
    }
}

void remote_core::end_turn(lane_state& state, bool is_refused) noexcept
{
    state.is_busy = false;
    state.is_blocked = is_refused && !state.has_news;  // (E2)
    state.has_news = false;
}

void remote_core::unblock(lane_state& state) noexcept
{
    state.has_news = state.is_busy;
    state.is_blocked = false;
}

}  // namespace sluice::redis::detail
