// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/detail/remote_core.hpp>

#include "redis/command.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/redis_error.hpp>

#include <boost/asio/error.hpp>

#include <mutex>
#include <utility>

namespace sluice::redis::detail {

using boost::asio::error::operation_aborted;

remote_core::remote_core(
    const queue_options& options,
    std::string prefix,
    std::weak_ptr<command_sink> sink
)
    : name_(options.name),
      prefix_(std::move(prefix)),
      title_("redis queue '" + name_ + "'"),
      options_([&] {
          queue_options kept = options;
          kept.name = name_;
          kept.producer = {};
          return kept;
      }()),
      sink_(std::move(sink)),
      producer_(options.producer),
      watch_(title_)
{
}

std::string remote_core::prefix_of(const queue_options& options)
{
    return "sluice:{" + std::string(options.name) + '}';
}

remote_core::waiting_operations remote_core::waiting() const noexcept
{
    const std::lock_guard lock(mutex_);
    return {
        lanes_[lane::enqueuing].waiting().size(),
        lanes_[lane::dequeuing].waiting().size()
    };
}

known_losses remote_core::losses() const
{
    const std::lock_guard lock(mutex_);
    return watch_.losses();
}

queue_options remote_core::dead_letter_options() const noexcept
{
    return {
        .name = name_,
        .capacity = std::size_t{1} << 53U,  // what a Lua number counts exactly
        .kind = queue_kind::fifo,
        .lease = options_.lease,
        .max_deliveries = 0,
        .min_after_dequeue = 0
    };
}

// Operations ----------------------------------------------------------------------------------

// (E7) An acknowledgement that no coroutine waits for: what that does next may take it along. The
// other settlements are urgent.
bool remote_core::is_in_passing(
    const remote_waiter& target,
    sluice::detail::delivery how
) noexcept
{
    return how == sluice::detail::delivery::always_posted &&
           target.list() == lane::settling &&
           static_cast<const remote_settler&>(target).what == settling::acknowledge;
}

bool remote_core::try_start(waiter& /*target*/) noexcept
{
    return false;
}

bool remote_core::start(
    waiter& target,
    sluice::detail::delivery how,
    sluice::detail::wait_mode mode
) noexcept
{
    using sluice::detail::wait_mode;
    const boost::intrusive_ptr<remote_core> self(this);  // the target may end meanwhile
    auto& mine = static_cast<remote_waiter&>(target);
    const bool may_go_along = is_in_passing(mine, how);
    const pump_at_end pumps{*this, !may_go_along};
    critical_section section(*this);
    if (target.failed() && !has_last_attempt(target, mode)) {
        // An acknowledgement is not taken back by a cancellation, however early.
        if (mine.list() == lane::settling) {
            auto& settler = static_cast<remote_settler&>(mine);
            settlements_.add(settler.what, std::exchange(settler.elements, {}));
        }
        section.decide(target);
    } else if (target.claim_ != nullptr && mode == wait_mode::gives_up) {
        // The attempt of a select, which cannot ask the server.
        target.fail(sluice::errc::timed_out);
        section.hand_to_caller(target);
        return true;
    } else {
        enter(mine, mode == wait_mode::gives_up, section);
    }
    // (E7) Unless an operation that starts before takes the settlements along.
    if (may_go_along && !is_pump_posted_)
        request_pump(is_pump_deferred_, &command_sink::defer_pump);
    return conclude(target, how, wait_mode::waits, section);
}

void remote_core::enter(
    remote_waiter& target,
    bool asks_once,
    critical_section& section
) noexcept
{
    if (const auto why = refusal_of(target); why.code.failed())
        return section.decide_failed(target, why.code, why.exception);
    const bool moves = target.list() == lane::enqueuing ||
                       target.list() == lane::dequeuing;
    if (moves && watch_.news().code.failed()) {
        const failure_reason once = watch_.take_news();
        return section.decide_failed(target, once.code, once.exception);
    }
    if (target.is_empty())
        return section.decide(target);
    remote_lane& entered = lanes_[target.list()];
    section.append(entered.waiting(), target);
    entered.entered(target);
    if (moves) {
        target.asks_once = asks_once;
        if (asks_once && (!connection_.is_open() || entered.is_blocked()))
            section.decide_failed(target, sluice::errc::timed_out);
        else if (target.tries && entered.is_blocked())
            section.decide_failed(target, sluice::errc::queue_busy);
    } else if (target.list() == lane::settling) {
        enter_settler(static_cast<remote_settler&>(target), section);
    } else {
        const auto asked = static_cast<remote_query&>(target).asked;
        must_close_ = must_close_ ||
                      (asked == remote_query::question::close && !is_closed_);
        answer_queries(section);
    }
}

// Without a connection the server will be told, but it may be long until then.
void remote_core::enter_settler(
    remote_settler& target,
    critical_section& section
) noexcept
{
    const failure_reason& away = connection_.refusal();
    auto elements = std::exchange(target.elements, {});
    target.unanswered = elements.size();
    // An extension is of no use later, and one after the other would be kept.
    if (!away.code.failed() || target.what != settling::extend)
        settlements_.add(target.what, std::move(elements), &target);
    if (!away.code.failed() && target.unanswered > 0)
        return;
    settlements_.drop_owner(target);
    section.decide_failed(
        target,
        away.code.failed() ? away.code : errc::lease_expired,
        away.exception
    );
}

failure_reason remote_core::refusal_of(const remote_waiter& target) const noexcept
{
    if (sink_.expired())
        return {errc::connection_closed};
    const lane list = target.list();
    if (connection_.refusal().code.failed() && list != lane::settling)
        return connection_.refusal();
    if (list == lane::enqueuing) {
        if (is_orphaned_ || has_left_ || must_close_ || is_closed_)
            return {sluice::errc::queue_closed};
        if (producer_.fenced().code.failed())
            return producer_.fenced();
        if (static_cast<const remote_producer&>(target).records.size() > capacity())
            return {sluice::errc::invalid_argument};
    } else if (list == lane::dequeuing) {
        const auto& consumer = static_cast<const remote_consumer&>(target);
        if (is_orphaned_ || has_left_)
            return {operation_aborted};
        if (consumer.kind == sluice::detail::demand::exactly &&
            consumer.wanted > capacity() - options_.min_after_dequeue)
            return {sluice::errc::invalid_argument};
    } else if (list == lane::asking) {
        return refusal_of_query(static_cast<const remote_query&>(target).asked);
    }
    return {};
}

failure_reason remote_core::refusal_of_query(remote_query::question asked) const noexcept
{
    using question = remote_query::question;
    if (is_orphaned_)
        return {operation_aborted};
    if (asked == question::position && producer_.empty())
        return explained(
            sluice::errc::invalid_argument,
            title_,
            "position() needs queue_options::producer"
        );
    if (asked == question::position || (asked == question::close && !is_closed_))
        return producer_.fenced();
    return {};
}

void remote_core::cancel_producer(remote_producer& target, error_code why) noexcept
{
    {
        const std::lock_guard lock(mutex_);
        if (!target.cancelled_by.failed())
            target.cancelled_by = why;
    }
    // Decides again whether a command is on its way, under the lock.
    cancel_without_effect(target, why);
}

bool remote_core::has_effect(const waiter& target) const noexcept
{
    const auto& mine = static_cast<const remote_waiter&>(target);
    return mine.list() == lane::enqueuing && mine.is_sent();
}

// Called before it is unlinked.
void remote_core::withdraw(waiter& target) noexcept
{
    auto& mine = static_cast<remote_waiter&>(target);
    lanes_[mine.list()].leaves(mine);
    reclaim(target);
    if (mine.list() == lane::settling)
        settlements_.drop_owner(static_cast<remote_settler&>(mine));
}

bool remote_core::reclaim(waiter& target) noexcept
{
    auto& mine = static_cast<remote_waiter&>(target);
    if (mine.list() != lane::dequeuing)
        return false;
    auto& consumer = static_cast<remote_consumer&>(mine);
    settlements_.add(settling::forget, std::exchange(consumer.elements, {}));
    return true;
}

// The time of a batch that lingers is over.
bool remote_core::complete_in_part(waiter& target, critical_section& section) noexcept
{
    auto& mine = static_cast<remote_waiter&>(target);
    if (mine.list() != lane::dequeuing ||
        static_cast<remote_consumer&>(mine).elements.empty())
        return false;
    lanes_[lane::dequeuing].empty_slot_of(mine);
    section.decide(mine);
    serve(section);
    return true;
}

void remote_core::collect(const void* context, waiter_list& abandoned) noexcept
{
    for (remote_lane& each : lanes_)
        collect_from(each.waiting(), context, abandoned);
}

void remote_core::settle(settling what, std::vector<leased_element> elements) noexcept
{
    critical_section section(*this);
    settlements_.add(what, std::move(elements));
    serve(section);
}

// Fixes the outcome of one that waits: it fails, if there is a reason. A branch of a select that
// was decided elsewhere is dropped: its owner may have gone on (B1, B3).
void remote_core::end(
    remote_waiter& target,
    critical_section& section,
    const failure_reason& why
) noexcept
{
    if (!target.try_claim())
        return drop(target);
    if (why.code.failed())
        target.fail(why.code, why.exception);
    section.decide(target);
}

// Those that came while a command was on its way, which the server has refused. The next command
// is sent after news.
void remote_core::end_attempts(lane which, critical_section& section) noexcept
{
    waiter_list& list = lanes_[which].waiting();
    for (auto it = list.begin(); it != list.end();) {
        auto& target = static_cast<remote_waiter&>(*it++);
        if (target.asks_once) {
            if (!complete_in_part(target, section))
                section.decide_failed(target, sluice::errc::timed_out);
        } else if (target.tries) {
            section.decide_failed(target, sluice::errc::queue_busy);
        }
    }
}

// Whether any has been told.
bool remote_core::fail(
    lane which,
    const failure_reason& why,
    critical_section& section
) noexcept
{
    bool is_told = false;
    waiter_list& list = lanes_[which].waiting();
    for (auto it = list.begin(); it != list.end();) {
        auto& target = static_cast<remote_waiter&>(*it++);
        if (has_effect(target)) {  // its answer decides
            target.cancelled_by = why.code;
            continue;
        }
        is_told = is_told || target.try_claim();
        withdraw(target);
        end(target, section, why);
    }
    return is_told;
}

void remote_core::fail_all(const failure_reason& why, critical_section& section) noexcept
{
    for (std::size_t i = 0; i < remote_lanes::count; ++i)
        fail(static_cast<lane>(i), why, section);
}

// Closing -------------------------------------------------------------------------------------

void remote_core::close(const sluice::detail::closing& how) noexcept
{
    critical_section section(*this);
    if (has_left_ || is_orphaned_)
        return;
    if (end_.by == closer::none || (how.cuts_off() && !end_.cut_off))
        end_ = {how.by, how.cuts_off(), how.cause};
    if (how.mode == close_mode::drain && !how.cause) {
        must_close_ = must_close_ || (!is_closed_ && !producer_.fenced().code.failed());
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
    fail(lane::enqueuing, {sluice::errc::queue_closed, cause}, section);
    fail(lane::dequeuing, {operation_aborted, cause}, section);
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
    fail(lane::asking, {operation_aborted}, section);
}

bool remote_core::is_finished() const noexcept
{
    return references() == 1 && has_nothing_to_say();
}

bool remote_core::has_nothing_to_say() const noexcept
{
    const std::lock_guard lock(mutex_);
    return only_settles() && settlements_.are_known();
}

// The connection ------------------------------------------------------------------------------

void remote_core::connected() noexcept
{
    {
        const std::lock_guard lock(mutex_);
        connection_.on_connected();
    }
    pump();
}

void remote_core::lost() noexcept
{
    critical_section section(*this);
    connection_.on_lost();
    lanes_.reset();
    for (remote_lane& each : lanes_)
        for (auto it = each.waiting().begin(); it != each.waiting().end();) {
            auto& target = static_cast<remote_waiter&>(*it++);
            if (target.asks_once && !target.is_sent())
                section.decide_failed(target, sluice::errc::timed_out);
        }
}

void remote_core::out_of_reach(error_code why, std::exception_ptr cause) noexcept
{
    critical_section section(*this);
    connection_.refuse({why, std::move(cause)});
    fail_all(connection_.refusal(), section);
}

void remote_core::on_event(char what) noexcept
{
    {
        const std::lock_guard lock(mutex_);
        if (what != 'r')
            lanes_[lane::dequeuing].ask_again();
        if (what != 'i')
            lanes_[lane::enqueuing].ask_again();
        if (what == 'd')
            watch_.on_deletion();
        if (what == 'l')
            watch_.on_loss();
        if (what == poll) {
            watch_.on_poll();
            if (!lanes_[lane::opening].is_busy())
                connection_.try_again();
        }
    }
    pump();
}

}  // namespace sluice::redis::detail
