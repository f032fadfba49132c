// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "monitor/readiness.hpp"
#include <sluice/metrics/snapshot.hpp>
#include <sluice/report/trace.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

// What belongs to one worker of a runner.
namespace sluice::pipeline {

using metrics::activity;

// The thread on which a worker does what may block; made when it is first needed.
class blocking_thread
{
public:
    // Runs the function there. A cancellation waits for its end if it has begun.
    [[nodiscard]] boost::asio::awaitable<void> run(std::function<void()> function);

    // Waits for the function that is running. It reports to the context of its worker, which
    // therefore must not die before this.
    void join();

private:
    std::mutex mutex_;
    std::optional<boost::asio::thread_pool> pool_;  // guarded by mutex_
    bool joined_ = false;                           // guarded by mutex_
};

// How long a worker has done what. The worker switches, any thread reads. How long it was ready
// meanwhile, without a free thread, its task knows, and that counts apart.
class worker_clock
{
public:
    using clock = std::chrono::steady_clock;

    using amounts = std::array<clock::duration, 5>;  // by activity

    struct times
    {
        activity current;
        bool is_paused;  // idle, but neither before the start nor after the end
        amounts spent;

        [[nodiscard]] clock::duration of(activity which) const
        {
            return spent[index(which)];
        }
    };

    // The pipeline starts; before that no time is counted. Called once, before any switch.
    void start(clock::time_point now)
    {
        const std::lock_guard lock(mutex_);
        since_ = now;
    }

    // Every span goes to a track of the trace, too. Called once, before the start.
    void record(report::trace& trace, std::size_t track)
    {
        trace_ = &trace;
        track_ = track;
    }

    // The worker begins, as this task.
    void begin(sluice::detail::readiness task)
    {
        follow(std::move(task));
        switch_to(activity::busy);
    }

    void end()
    {
        switch_to(activity::idle);
        follow({});
    }

    void switch_to(activity next) { change(next, false); }

    // Idle until the next switch.
    void pause() { change(activity::idle, true); }

    // What goes on and has not been recorded yet, for a trace that ends before the worker does.
    void record_unfinished(clock::time_point now) const
    {
        const std::lock_guard lock(mutex_);
        record_span(now, ready_until(now).time);
    }

    // Includes what is going on. Up to a time after the start that is not before that of an
    // earlier call: so no figure ever falls, and together they are the time since the start. A
    // switch that came after `now` counts all the same.
    [[nodiscard]] times read(clock::time_point now) const
    {
        const std::lock_guard lock(mutex_);
        const sluice::detail::readiness::reading ready = ready_until(now);
        times result{ready.is_ready ? activity::ready : current_, is_paused_, spent_};
        count(result.spent, now, ready.time);
        return result;
    }

private:
    void follow(sluice::detail::readiness task)
    {
        const std::lock_guard lock(mutex_);
        task_ = std::move(task);
        ready_before_ = {};
    }

    void change(activity next, bool is_paused)
    {
        const clock::time_point now = clock::now();
        const std::lock_guard lock(mutex_);
        const clock::duration ready = ready_until(now).time;
        count(spent_, now, ready);
        record_span(now, ready);
        ready_before_ += ready;
        current_ = next;
        is_paused_ = is_paused;
        since_ = now;
    }

    // Since the last switch. One that began later has been ready all the time that it took.
    [[nodiscard]] sluice::detail::readiness::reading ready_until(clock::time_point now
    ) const
    {
        auto result = task_.read(now);
        result.time = std::clamp(
            result.time - ready_before_,
            clock::duration::zero(),
            std::max(now - since_, clock::duration::zero())
        );
        return result;
    }

    void count(amounts& spent, clock::time_point now, clock::duration ready) const
    {
        spent[index(current_)] += std::max(now - since_, clock::duration::zero()) - ready;
        spent[index(activity::ready)] += ready;
    }

    // What it was ready for comes at the end: then it went on.
    void record_span(clock::time_point now, clock::duration ready) const
    {
        if (trace_ == nullptr)
            return;
        trace_->add_span(track_, current_, since_, now - ready);
        trace_->add_span(track_, activity::ready, now - ready, now);
    }

    static std::size_t index(activity which) { return static_cast<std::size_t>(which); }

    report::trace* trace_ = nullptr;  // constant from the start on; null: none
    std::size_t track_ = 0;           // the same
    mutable std::mutex mutex_;
    sluice::detail::readiness task_;          // guarded by mutex_
    clock::duration ready_before_{};          // guarded by mutex_; counted in spent_
    activity current_ = activity::idle;       // guarded by mutex_
    bool is_paused_ = false;                  // guarded by mutex_
    clock::time_point since_ = clock::now();  // guarded by mutex_
    amounts spent_{};                         // guarded by mutex_
};

// Per-worker state; written by the worker, read from any thread.
struct worker_state
{
    blocking_thread thread;
    worker_clock clock;
    std::atomic<std::uint64_t> items_in = 0;
    std::atomic<std::uint64_t> items_out = 0;
};

// Back to busy at the end of a wait, however it ends. Blocking work is busy all the same; with a
// scope of its own the trace shows when it was over and the worker was ready.
class waiting_scope
{
public:
    waiting_scope(worker_clock& clock, activity waiting) : clock_(clock)
    {
        clock_.switch_to(waiting);
    }

    // For a pause.
    explicit waiting_scope(worker_clock& clock) : clock_(clock) { clock_.pause(); }

    waiting_scope(const waiting_scope&) = delete;
    waiting_scope& operator=(const waiting_scope&) = delete;
    ~waiting_scope() { clock_.switch_to(activity::busy); }

private:
    worker_clock& clock_;
};

}  // namespace sluice::pipeline
