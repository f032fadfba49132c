// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/wait_traits.hpp>
#include <boost/intrusive/set.hpp>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace sluice::detail {

// A waiting operation that has a deadline. Lives as long as it is armed.
class deadline_entry : public boost::intrusive::set_base_hook<
                           boost::intrusive::link_mode<boost::intrusive::safe_link>,
                           boost::intrusive::optimize_size<true>>
{
public:
    using time_point = std::chrono::steady_clock::time_point;

    deadline_entry() = default;
    deadline_entry(const deadline_entry&) = delete;
    deadline_entry& operator=(const deadline_entry&) = delete;

    // The deadline passed. The entry may be destroyed in this call, but elsewhere not before
    // it returns, because disarm() waits for that. Called without a lock: it completes
    // operations, and so calls their executors, which may belong to the program.
    virtual void expire() noexcept = 0;

    // The order in which they pass.
    bool operator<(const deadline_entry& other) const noexcept { return due < other.due; }

    // Of the deadline_service, whose mutex guards it.
    time_point due;

protected:
    ~deadline_entry() = default;
};

// Runs a function at once, on whichever thread of the context has found that a timer is due.
// The deadlines of a context depend on no executor of the program: a strand may be occupied, and
// what a program has made itself may stand still.
class timer_executor
{
public:
    explicit timer_executor(boost::asio::execution_context& context) noexcept
        : context_(&context)
    {
    }

    [[nodiscard]] boost::asio::execution_context& query(
        boost::asio::execution::context_t /*property*/
    ) const noexcept
    {
        return *context_;
    }

    template <class Function>
    void execute(Function&& function) const
    {
        std::forward<Function>(function)();
    }

    friend bool operator==(const timer_executor&, const timer_executor&) = default;

private:
    boost::asio::execution_context* context_;
};

// All deadlines of one execution context share one timer, which is set for the earliest.
// Arming and disarming are O(log n) and allocate nothing but what the timer needs.
class deadline_service final : public boost::asio::execution_context::service
{
public:
    using key_type = deadline_service;
    static inline boost::asio::execution_context::id id;

    explicit deadline_service(boost::asio::execution_context& context);

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
    using timer = boost::asio::
        basic_waitable_timer<clock, boost::asio::wait_traits<clock>, timer_executor>;

    // A call of expire(), on the stack of its thread. Several threads may be at it: while one
    // call takes long, later deadlines pass.
    struct expiry
    {
        const deadline_entry* entry;
        std::thread::id thread;
        expiry* next;
    };

    void shutdown() override;
    void start_wait(timer& on, time_point when);
    void ensure_timer(time_point when);
    void set_timer(time_point when);
    void on_timer();
    void expire_first(std::unique_lock<std::mutex>& lock);
    [[nodiscard]] bool expires_elsewhere(const deadline_entry& entry) const noexcept;

    std::mutex mutex_;
    boost::intrusive::multiset<deadline_entry> armed_;  // guarded by mutex_
    std::optional<timer> timer_;                        // guarded by mutex_
    time_point set_for_ = time_point::max();  // max: it is not set; guarded by mutex_
    expiry* running_ = nullptr;               // guarded by mutex_
    std::condition_variable ended_;           // one of those
};

}  // namespace sluice::detail
