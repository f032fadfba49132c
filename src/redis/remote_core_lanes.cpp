// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// When a remote_core may send, and what it does when the queue or the connection goes.

#include "redis/command.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/detail/remote_core.hpp>

#include <boost/asio/error.hpp>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

namespace sluice::redis::detail {

// Closing -------------------------------------------------------------------------------------

void remote_core::close(const sluice::detail::closing& how) noexcept
{
    critical_section section(*this);
    if (has_left_ || is_orphaned_)
        return;
    if (end_.by == closer::none || (how.cuts_off() && !end_.cut_off))
        end_ = {how.by, how.cuts_off(), how.cause};
    if (how.mode == close_mode::drain && !how.cause) {
        must_close_ = must_close_ || (!is_closed_ && !fenced_.code.failed());
        serve(section);
    } else {
        // Its consumers are told that they were cancelled. That is no end, and needs no cause.
        leave(how.is_stop() ? nullptr : how.cause, section);
    }
}

// What is left is known to the server.
remote_core::ending remote_core::how_it_ended() const noexcept
{
    const std::lock_guard lock(mutex_);
    return {end_, 0};
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

bool remote_core::is_finished() const noexcept
{
    return references() == 1 && has_nothing_to_say();
}

bool remote_core::has_nothing_to_say() const noexcept
{
    const std::lock_guard lock(mutex_);
    return only_settles() && settlements_.empty() && sent_settlements_.empty();
}

// The connection ------------------------------------------------------------------------------

void remote_core::connected() noexcept
{
    {
        const std::lock_guard lock(mutex_);
        is_connected_ = true;
        ++connections_;
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
    lane_states_ = {};
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
            unblock(state_of(lane::dequeuing));
        if (what != 'i')
            unblock(state_of(lane::enqueuing));
        if (what == 'd')
            is_being_deleted_ = true;
        if (what == 'l' || (what == poll && size_ > 0))
            must_look_ = true;
        // It was refused, which may have changed.
        if (stage_ == stage::opening && !state_of(lane::opening).is_busy && what == poll)
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

// (E7) Unless an operation that starts before takes the settlements along.
void remote_core::defer_pump() noexcept
{
    if (is_pump_posted_ || is_pump_deferred_ || !has_work())
        return;
    try {
        if (const auto sink = sink_.lock()) {
            is_pump_deferred_ = true;
            sink->defer_pump(*this);
        }
    } catch (...) {
        is_pump_deferred_ = false;  // the poll comes to it
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
    for (std::size_t i = 0; i < lane_count; ++i)
        if (has_work(static_cast<lane>(i)))
            return true;
    return false;
}

bool remote_core::has_work(lane from) const noexcept
{
    const lane_state& state = state_of(from);
    if (state.is_busy || state.is_blocked)
        return false;
    if (from == lane::opening)
        return stage_ == stage::closed && is_connected_ && !only_settles();
    if (stage_ != stage::open && !(only_settles() && is_connected_))
        return false;
    switch (from) {
    case lane::settling:
        return !settlements_.empty();
    case lane::enqueuing:
        return !producers_.empty();
    case lane::dequeuing:
        return !consumers_.empty();
    default:
        return must_close_ || must_look_ || !queries_.empty();
    }
}

// For deliveries that outlive the queue. To open it for them would make one that has been deleted.
bool remote_core::only_settles() const noexcept
{
    return is_orphaned_ && !must_close_;
}

void remote_core::serve(critical_section& /*section*/) noexcept
{
    request_pump();
}

struct remote_core::outgoing
{
    lane from;
    command text;
};

void remote_core::pump() noexcept
{
    const auto sink = sink_.lock();
    if (sink == nullptr)
        return;
    std::size_t first = 0;
    while (auto next = next_command(first)) {
        first = static_cast<std::size_t>(next->from) + 1;
        sink->send(*this, next->from, std::move(next->text));
    }
    if (first > 0)
        sink->flush();
}

// Of the first of the lanes from this one on that has something to send.
std::optional<remote_core::outgoing> remote_core::next_command(std::size_t first) noexcept
{
    const std::lock_guard lock(mutex_);
    is_pump_posted_ = false;
    is_pump_deferred_ = false;
    for (std::size_t i = first; i < lane_count; ++i) {
        const auto from = static_cast<lane>(i);
        if (!has_work(from))
            continue;
        try {
            outgoing next = command_of(from);
            if (next.text.empty())
                continue;
            state_of(from).is_busy = true;
            state_of(next.from).is_busy = true;
            return next;
        } catch (...) {
            continue;  // without memory; the poll comes to it
        }
    }
    return std::nullopt;
}

remote_core::outgoing remote_core::command_of(lane from)
{
    switch (from) {
    case lane::opening:
        return {from, open_command()};
    case lane::settling:
        return settle_with_another();
    case lane::enqueuing:
        return {from, enqueue_command()};
    case lane::dequeuing:
        return {from, dequeue_command()};
    default:
        return {from, ask_command()};
    }
}

// (E7) The lane whose command can have the settlements with it.
std::optional<lane> remote_core::carrier() const noexcept
{
    if (has_work(lane::enqueuing))
        return is_server_full_ ? std::nullopt : std::optional(lane::enqueuing);
    if (has_work(lane::dequeuing))
        return lane::dequeuing;
    return std::nullopt;
}

// Those that are sent are noted last, when nothing can fail any more.
remote_core::outgoing remote_core::settle_with_another()
{
    std::optional<lane> with = carrier();
    command text = with ? carrying_command(*with) : command();
    if (text.empty()) {
        with.reset();
        text = settle_command();
    }
    note_sent_settlements();
    carrier_ = with;
    return {with.value_or(lane::settling), std::move(text)};
}

// Empty if there is nothing to carry them after all, or no memory for both: alone they need less.
command remote_core::carrying_command(lane with) noexcept
try {
    return with == lane::enqueuing ? enqueue_command(true) : dequeue_command(true);
} catch (...) {
    return {};
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
