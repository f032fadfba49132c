// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/wait_hub.hpp>

#include <sluice/detail/waiting/hub_registry.hpp>
#include <sluice/detail/waiting/wait_times.hpp>

#include <boost/asio/error.hpp>

#include <memory>
#include <mutex>
#include <utility>

namespace sluice::detail {

wait_hub::~wait_hub()
{
    delete wait_times_.load(std::memory_order_relaxed);
}

// An attempt is over when it returns; one that gave up leaves no trace.
bool wait_hub::try_start(waiter& target) noexcept
{
    (void)start(target, delivery::inline_if_ready, wait_mode::gives_up);
    if (target.error() != errc::timed_out)
        return true;
    target.rearm();
    return false;
}

bool wait_hub::start_if_ready(waiter& target) noexcept
{
    if (!try_start(target))
        return false;
    target.phase_.store(waiter::phase::decided, std::memory_order_relaxed);
    return true;
}

void wait_hub::cancel(waiter& target, error_code why) noexcept
{
    critical_section section(*this);
    cancel(target, why, section);
}

void wait_hub::cancel_without_effect(waiter& target, error_code why) noexcept
{
    critical_section section(*this);
    if (!target.is_waiting() || !has_effect(target))
        cancel(target, why, section);
}

// One that is decided is not taken back: it has what it waited for.
void wait_hub::expire(waiter& target) noexcept
{
    critical_section section(*this);
    if (target.is_waiting()
            ? !complete_in_part(target, section)
            : target.phase_.load(std::memory_order_relaxed) == waiter::phase::idle)
        cancel(target, errc::timed_out, section);
}

void wait_hub::cancel(waiter& target, error_code why, critical_section& section) noexcept
{
    switch (target.phase_.load(std::memory_order_relaxed)) {
    case waiter::phase::idle:
        if (!target.failed() || why != errc::timed_out)
            target.fail(why);
        return;
    case waiter::phase::waiting:
        if (target.is_starting_ && why == errc::timed_out) {
            target.is_late_ = true;  // but perhaps it need not wait (S3)
            return;
        }
        withdraw(target);
        section.decide_failed(target, why);
        break;
    case waiter::phase::decided:
        if ((target.was_ready_ && why == errc::timed_out) || !take_back(target))
            return;
        target.fail(why);
        target.claim_ = nullptr;  // not a flag: a delivery reads those without the mutex
        // release: the delivery must see the outcome as changed here
        target.phase_.store(waiter::phase::decided, std::memory_order_release);
        break;
    case waiter::phase::reclaiming:
    case waiter::phase::delivered:
        return;
    }
    serve(section);
}

bool wait_hub::forget(waiter& target, waiter_list* decided) noexcept
{
    critical_section section(*this);
    bool is_on_its_way = false;
    switch (target.phase_.load(std::memory_order_relaxed)) {
    case waiter::phase::waiting:
        drop(target);
        serve(section);
        break;
    case waiter::phase::decided:
        is_on_its_way = true;
        if (take_back(target)) {
            target.phase_.store(waiter::phase::delivered, std::memory_order_relaxed);
            serve(section);
        }
        break;
    default:
        break;
    }
    if (decided != nullptr)
        section.hand_over(*decided);
    return is_on_its_way;
}

bool wait_hub::take_back(waiter& target) noexcept
{
    // The race with the delivery: whichever of the two moves the phase first wins.
    if (target.failed() || !compare_exchange(
                               target.phase_,
                               waiter::phase::decided,
                               waiter::phase::reclaiming,
                               std::memory_order_relaxed
                           ))
        return false;
    interleaving_point();
    if (reclaim(target))
        return true;
    target.phase_.store(waiter::phase::decided, std::memory_order_release);
    return false;
}

bool wait_hub::has_last_attempt(waiter& target, wait_mode& mode) noexcept
{
    if (target.error() != errc::timed_out)
        return false;
    target.rearm();
    mode = wait_mode::gives_up;
    return true;
}

bool wait_hub::append_unless_failed(
    waiter_list& list,
    waiter& target,
    wait_mode& mode,
    critical_section& section
) noexcept
{
    if (target.failed() && !has_last_attempt(target, mode)) {
        section.decide(target);
        return false;
    }
    section.append(list, target);
    return true;
}

void wait_hub::give_up(waiter& target, critical_section& section) noexcept
{
    if (complete_in_part(target, section))
        return;
    withdraw(target);
    section.decide_failed(target, errc::timed_out);
    serve(section);
}

void wait_hub::drop(waiter& target) noexcept
{
    withdraw(target);
    target.unlink();
    target.phase_.store(waiter::phase::delivered, std::memory_order_release);
}

void wait_hub::finish_reclaimed(waiter& target) noexcept
{
    while (!target.try_finish_delivery() && !target.is_delivered()) {
        // The thread that takes them back holds the mutex while it does.
        mutex_.lock();
        mutex_.unlock();
    }
}

void wait_hub::critical_section::end_all(
    waiter_list& list,
    error_code why,
    const std::exception_ptr& cause
) noexcept
{
    while (!list.empty())
        end_first(list, why, cause);
}

void wait_hub::critical_section::end_first(
    waiter_list& list,
    error_code why,
    const std::exception_ptr& cause
) noexcept
{
    waiter& first = list.front();
    if (!first.try_claim())
        return drop(first);
    if (why.failed()) {
        hub_.withdraw(first);
        first.fail(why, cause);
    }
    decide(first);
}

// Pieces --------------------------------------------------------------------------------------

// Only the first of a list may hold something, which others must leave room for: it is ended before
// they get the mutex.
void wait_hub::critical_section::end_in_pieces(waiter_list& list, error_code why) noexcept
{
    waiter_list ending;
    ending.splice_back(list);
    while (!ending.empty()) {
        end_first(ending, why, nullptr);
        note_steps(1);
        if (!has_steps())
            pause();
    }
}

void wait_hub::critical_section::pause() noexcept
{
    hub_.mutex_.unlock();
    deliver_all(decided_);
    hub_.mutex_.stand_back();
    hub_.mutex_.lock();
    steps_ = steps_of_piece;
    is_cut_short_ = false;
}

// Unless another thread does so, whose next piece is still to come.
void wait_hub::critical_section::finish_in_pieces() noexcept
{
    const hub_ptr keep(&hub_);  // what is delivered may have the last reference
    if (hub_.cut_short_by_ == 0) {
        ++hub_.cut_short_by_;
        do {
            pause();
            hub_.serve(*this);
        } while (is_cut_short_);
        --hub_.cut_short_by_;
    }
    hub_.mutex_.unlock();
    deliver_all(decided_);
}

void wait_hub::critical_section::serve_in_pieces(waiter& target) noexcept
{
    ++hub_.cut_short_by_;
    do {
        target.is_starting_ = true;
        pause();
        target.is_starting_ = false;
        if (target.is_waiting()) {
            hub_.serve(*this);
            continue;
        }
        // Another thread has decided it, and may have left more to this one.
        is_cut_short_ = true;
        if (!target.is_delivered())
            decide(target);
    } while (is_cut_short_ && target.is_waiting());
    --hub_.cut_short_by_;
}

// Reports -------------------------------------------------------------------------------------

void wait_hub::keep_wait_times()
{
    if (kept_wait_times() != nullptr)
        return;
    auto made = std::make_unique<wait_times>();
    // release: a thread that finds them sees them made. Of two that make them one comes too late.
    if (compare_exchange<wait_times*>(
            wait_times_,
            nullptr,
            made.get(),
            std::memory_order_release
        ))
        (void)made.release();
}

// Contexts ------------------------------------------------------------------------------------

void wait_hub::abandon(const void* context) noexcept
{
    waiter_list abandoned;
    bool is_home = false;
    {
        critical_section section(*this);
        collect(context, abandoned);
        serve(section);
        is_home = home_context() == context;
        // What dies with the abandoned may start an operation here, which is then refused. And
        // the next context may be made at the same address.
        std::erase_if(attached_, [context](const auto& registry) {
            return registry->context() == context;
        });
        if (is_home)
            home_context_.store(nullptr, std::memory_order_relaxed);
    }
    while (!abandoned.empty()) {
        waiter& next = abandoned.take_front();
        if (next.context_ != context)
            next.orphan();
        next.abandon();
    }
    if (is_home)
        home_destroyed();
}

void wait_hub::collect_from(
    waiter_list& list,
    const void* context,
    waiter_list& abandoned
) noexcept
{
    for (auto it = list.begin(); it != list.end();) {
        waiter& candidate = *it++;
        if (context != nullptr && candidate.context_ != context)
            continue;
        withdraw(candidate);
        candidate.unlink();
        if (candidate.is_starting_) {  // and tells its owner itself
            candidate.fail(boost::asio::error::operation_aborted);
            candidate.phase_.store(waiter::phase::decided, std::memory_order_relaxed);
            continue;
        }
        candidate.phase_.store(waiter::phase::delivered, std::memory_order_relaxed);
        abandoned.push_back(candidate);
    }
}

}  // namespace sluice::detail
