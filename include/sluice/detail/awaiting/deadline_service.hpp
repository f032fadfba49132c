// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/connection.hpp>

#include <boost/asio/execution_context.hpp>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace sluice::detail {

// All deadlines of one execution context share one timer, which is set for the earliest.
// Arming and disarming are O(log n) and allocate nothing but what the timer needs.
class deadline_service final : public boost::asio::execution_context::service
{
public:
    using key_type = deadline_service;
    static inline boost::asio::execution_context::id id;

    explicit deadline_service(boost::asio::execution_context& context);
    ~deadline_service() override;

    void arm(deadline_entry& entry, deadline_entry::time_point when);

    // For one that is armed or not, whichever thread calls its expire() meanwhile. False, and
    // nothing has changed: there is no memory for the timer, or the context is being destroyed.
    [[nodiscard]] bool try_rearm(
        deadline_entry& entry,
        deadline_entry::time_point when
    ) noexcept;

    // On return the entry is not armed and its expire() is not running, unless it is that
    // which disarms it.
    void disarm(deadline_entry& entry) noexcept;

private:
    using time_point = deadline_entry::time_point;
    using clock = std::chrono::steady_clock;
    struct timetable;  // incomplete here: see coordinator_state

    // A call of expire(), on the stack of its thread. Several threads may be at it: while one
    // call takes long, later deadlines pass.
    struct expiry
    {
        const deadline_entry* entry;
        std::thread::id thread;
        expiry* next;
    };

    void shutdown() override;
    void ensure_timer(time_point when);
    void set_timer(time_point when);
    void on_timer();
    void expire_first(std::unique_lock<std::mutex>& lock);
    [[nodiscard]] bool expires_elsewhere(const deadline_entry& entry) const noexcept;

    std::mutex mutex_;
    std::unique_ptr<timetable> table_;        // guarded by mutex_
    time_point set_for_ = time_point::max();  // max: it is not set; guarded by mutex_
    expiry* running_ = nullptr;               // guarded by mutex_
    std::condition_variable ended_;           // one of those
};

}  // namespace sluice::detail
