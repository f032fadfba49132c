// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/detail/remote_core.hpp>

#include "redis/command.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/redis_error.hpp>

#include <boost/asio/error.hpp>

#include <algorithm>
#include <array>
#include <mutex>
#include <random>
#include <utility>

namespace sluice::redis::detail {
namespace {

std::string drawn_by_lot()
{
    std::random_device device;
    std::string text;
    for (int i = 0; i < 4; ++i)
        text += std::to_string(device()) + (i < 3 ? "-" : "");
    return text;
}

}  // namespace

remote_core::remote_core(
    const queue_options& options,
    std::string prefix,
    std::weak_ptr<command_sink> sink
)
    : name_(options.name),
      prefix_(std::move(prefix)),
      process_("p:" + drawn_by_lot()),
      producer_(options.producer),
      capacity_(options.capacity),
      kind_(options.kind),
      lease_(options.lease),
      max_deliveries_(options.max_deliveries),
      min_after_dequeue_(options.min_after_dequeue),
      retry_delay_(options.retry_delay),
      max_retry_delay_(
          options.retry_delay.count() > 0 ? options.max_retry_delay
                                          : std::chrono::milliseconds(0)
      ),
      sink_(std::move(sink))
{
}

std::string remote_core::prefix_of(const queue_options& options)
{
    return "sluice:{" + std::string(options.name) + '}';
}

std::string remote_core::describe() const
{
    return "redis queue '" + name_ + "'";
}

remote_core::waiting_operations remote_core::waiting() const noexcept
{
    const std::lock_guard lock(mutex_);
    return {producers_.size(), consumers_.size()};
}

remote_core::known_losses remote_core::losses() const
{
    const std::lock_guard lock(mutex_);
    return losses_;
}

queue_options remote_core::dead_letter_options() const noexcept
{
    return {
        .name = name_,
        .capacity = std::size_t{1} << 53U,  // what a Lua number counts exactly
        .kind = queue_kind::fifo,
        .lease = lease_,
        .max_deliveries = 0,
        .min_after_dequeue = 0
    };
}

// Operations ----------------------------------------------------------------------------------

// (E7) An acknowledgement that no coroutine waits for: what that does next may take it along. The
// other settlements are urgent.
bool remote_core::is_in_passing(
    const waiter& target,
    sluice::detail::delivery how
) noexcept
{
    return how == sluice::detail::delivery::always_posted &&
           static_cast<remote_list>(target.list_) == remote_list::settlers &&
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
    const bool may_go_along = is_in_passing(target, how);
    const pump_at_end pumps{*this, !may_go_along};
    critical_section section(*this);
    if (target.failed() && !has_last_attempt(target, mode)) {
        // An acknowledgement is not taken back by a cancellation, however early.
        if (static_cast<remote_list>(target.list_) == remote_list::settlers) {
            auto& settler = static_cast<remote_settler&>(target);
            note(settler.what, std::exchange(settler.elements, {}), nullptr);
        }
        section.decide(target);
    } else if (target.claim_ != nullptr && mode == wait_mode::gives_up) {
        // The attempt of a select, which cannot ask the server.
        target.fail(sluice::errc::timed_out);
        section.hand_to_caller(target);
        return true;
    } else {
        enter(target, mode == wait_mode::gives_up, section);
    }
    if (may_go_along)
        defer_pump();
    return conclude(target, how, wait_mode::waits, section);
}

void remote_core::enter(
    waiter& target,
    bool asks_once,
    critical_section& section
) noexcept
{
    if (const auto refusal = refusal_of(target); refusal.code.failed())
        return section.decide_failed(target, refusal.code, refusal.exception);
    const bool moves = static_cast<remote_list>(target.list_) == remote_list::producers ||
                       static_cast<remote_list>(target.list_) == remote_list::consumers;
    if (moves && robbed_.code.failed()) {
        const failure_reason once = std::exchange(robbed_, {});
        return section.decide_failed(target, once.code, once.exception);
    }
    if (is_complete_already(target))
        return section.decide(target);
    auto& mine = static_cast<remote_waiter&>(target);
    mine.asks_once = asks_once;
    append(list_of(target), target);
    const auto list = static_cast<remote_list>(target.list_);
    if (list == remote_list::settlers) {
        auto& settler = static_cast<remote_settler&>(target);
        settler.asked = settler.unanswered = settler.elements.size();
        note(settler.what, std::move(settler.elements), &settler);
        settler.elements.clear();
        // It will be told; but when, nobody knows.
        if (out_of_reach_.code.failed() || settler.unanswered == 0) {
            forget_owner(settler);
            return section.decide_failed(
                target,
                out_of_reach_.code.failed() ? out_of_reach_.code : errc::lease_expired,
                out_of_reach_.exception
            );
        }
    } else if (list == remote_list::queries) {
        const auto asked = static_cast<remote_query&>(target).asked;
        must_close_ = must_close_ ||
                      (asked == remote_query::question::close && !is_closed_);
        answer_queries(section);
    } else {
        enter_lane(mine, section);
    }
}

// (E2) What the server refused before may be less, or more, than what is asked now.
void remote_core::enter_lane(remote_waiter& target, critical_section& section) noexcept
{
    auto& state = static_cast<remote_list>(target.list_) == remote_list::producers
                      ? state_of(lane::enqueuing)
                      : state_of(lane::dequeuing);
    if (&list_of(target).front() == &target)
        unblock(state);
    if (target.asks_once && (stage_ != stage::open || state.is_blocked))
        section.decide_failed(target, sluice::errc::timed_out);
    else if (target.tries && state.is_blocked)
        section.decide_failed(target, sluice::errc::queue_busy);
}

remote_core::failure_reason remote_core::refusal_of(const waiter& target) const noexcept
{
    using boost::asio::error::operation_aborted;
    const auto list = static_cast<remote_list>(target.list_);
    if (sink_.expired())
        return {errc::connection_closed, nullptr};
    if (out_of_reach_.code.failed() && list != remote_list::settlers)
        return out_of_reach_;
    if (list == remote_list::producers) {
        const auto& producer = static_cast<const remote_producer&>(target);
        if (is_orphaned_ || has_left_ || must_close_ || is_closed_)
            return {sluice::errc::queue_closed, nullptr};
        if (fenced_.code.failed())
            return fenced_;
        if (producer.records.size() > capacity_)
            return {sluice::errc::invalid_argument, nullptr};
    } else if (list == remote_list::consumers) {
        const auto& consumer = static_cast<const remote_consumer&>(target);
        if (is_orphaned_ || has_left_)
            return {operation_aborted, nullptr};
        if (consumer.kind == remote_demand::exactly &&
            consumer.wanted > capacity_ - min_after_dequeue_)
            return {sluice::errc::invalid_argument, nullptr};
    } else if (list == remote_list::queries) {
        if (is_orphaned_)
            return {operation_aborted, nullptr};
        const auto asked = static_cast<const remote_query&>(target).asked;
        if (asked == remote_query::question::position)
            return refusal_of_position();
        if (asked == remote_query::question::close && !is_closed_)
            return fenced_;
    }
    return {};
}

remote_core::failure_reason remote_core::refusal_of_position() const noexcept
{
    if (producer_.empty())
        return failure(
            sluice::errc::invalid_argument,
            "position() is for a queue with queue_options::producer"
        );
    return fenced_;
}

remote_core::failure_reason remote_core::failure(error_code code, std::string_view why)
    const noexcept
{
    try {
        const system_error error(code, describe() + ": " + std::string(why));
        return {code, std::make_exception_ptr(error)};
    } catch (...) {
        return {code, nullptr};  // without memory for the text
    }
}

bool remote_core::is_complete_already(const waiter& target) const noexcept
{
    switch (static_cast<remote_list>(target.list_)) {
    case remote_list::producers:
        return static_cast<const remote_producer&>(target).records.empty();
    case remote_list::consumers:
        return static_cast<const remote_consumer&>(target).wanted == 0;
    case remote_list::settlers:
        return static_cast<const remote_settler&>(target).elements.empty();
    case remote_list::queries:
        break;
    }
    return false;
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
    return static_cast<remote_list>(target.list_) == remote_list::producers &&
           static_cast<const remote_producer&>(target).is_sent();
}

// Called before it is unlinked.
void remote_core::withdraw(waiter& target) noexcept
{
    const bool is_first = target.is_linked() && &list_of(target).front() == &target;
    switch (static_cast<remote_list>(target.list_)) {
    case remote_list::producers: {
        auto& producer = static_cast<remote_producer&>(target);
        if (producer.is_sent())  // (E3)
            sent_producers_[producer.place] = nullptr;
        if (is_first)
            unblock(state_of(lane::enqueuing));
        break;
    }
    case remote_list::consumers: {
        auto& consumer = static_cast<remote_consumer&>(target);
        if (consumer.is_sent())  // (E3)
            sent_consumers_[consumer.place] = nullptr;
        note(settling::forget, std::move(consumer.elements), nullptr);
        consumer.elements.clear();
        if (is_first)
            unblock(state_of(lane::dequeuing));
        break;
    }
    case remote_list::settlers:
        forget_owner(static_cast<remote_settler&>(target));
        break;
    case remote_list::queries:
        if (sent_query_ == &target)
            sent_query_ = nullptr;
        break;
    }
    static_cast<remote_waiter&>(target).place = remote_waiter::not_sent;
}

void remote_core::forget_owner(const remote_settler& owner) noexcept
{
    for (auto* list : {&settlements_, &sent_settlements_})
        for (settlement& one : *list)
            if (one.owner == &owner)
                one.owner = nullptr;
}

// The time of a batch that lingers is over.
bool remote_core::complete_in_part(waiter& target, critical_section& section) noexcept
{
    if (static_cast<remote_list>(target.list_) != remote_list::consumers)
        return false;
    auto& consumer = static_cast<remote_consumer&>(target);
    if (consumer.elements.empty())
        return false;
    if (consumer.is_sent())  // (E3)
        sent_consumers_[consumer.place] = nullptr;
    consumer.place = remote_waiter::not_sent;
    section.decide(consumer);
    serve(section);
    return true;
}

bool remote_core::reclaim(waiter& target) noexcept
{
    if (static_cast<remote_list>(target.list_) != remote_list::consumers)
        return false;
    auto& consumer = static_cast<remote_consumer&>(target);
    note(settling::forget, std::move(consumer.elements), nullptr);
    consumer.elements.clear();
    return true;
}

void remote_core::collect(const void* context, waiter_list& abandoned) noexcept
{
    for (auto* list : {&producers_, &consumers_, &settlers_, &queries_})
        collect_from(*list, context, abandoned);
}

void remote_core::settle(settling what, std::vector<leased_element> elements) noexcept
{
    critical_section section(*this);
    note(what, std::move(elements), nullptr);
    serve(section);
}

// Without memory, or without a connection, the elements come back when their lease ends.
void remote_core::note(
    settling what,
    std::vector<leased_element> elements,
    remote_settler* owner
) noexcept
{
    std::size_t noted = 0;
    try {
        for (auto& element : elements) {
            settlements_.push_back({what, std::move(element), owner});
            ++noted;
        }
    } catch (...) {
        if (owner != nullptr) {
            owner->unanswered -= elements.size() - noted;
            owner->lost += elements.size() - noted;
        }
    }
}

sluice::detail::waiter_list& remote_core::list_of(const waiter& target) noexcept
{
    switch (static_cast<remote_list>(target.list_)) {
    case remote_list::producers:
        return producers_;
    case remote_list::consumers:
        return consumers_;
    case remote_list::settlers:
        return settlers_;
    default:
        return queries_;
    }
}

}  // namespace sluice::redis::detail
