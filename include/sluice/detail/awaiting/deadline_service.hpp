// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/set.hpp>

#include <chrono>
#include <mutex>
#include <optional>

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

    // The deadline passed. Called under the service's lock, so that disarm() cannot return
    // while this runs; it must not arm or disarm anything.
    virtual void expire() noexcept = 0;

    friend bool operator<(const deadline_entry& a, const deadline_entry& b) noexcept
    {
        return a.when_ < b.when_;
    }

protected:
    ~deadline_entry() = default;

private:
    friend class deadline_service;

    time_point when_;
};

// All deadlines of one execution context share one timer, which is set for the earliest.
// Arming and disarming are O(log n) and allocate nothing.
class deadline_service final : public boost::asio::execution_context::service
{
public:
    using key_type = deadline_service;
    static inline boost::asio::execution_context::id id;

    explicit deadline_service(boost::asio::execution_context& context) : service(context)
    {
    }

    // `executor()` is asked once, by the first to arm a deadline. It should be no strand: a
    // task that computes must not delay the deadlines of all others. It is kept as long as
    // the context, so it must not count as work.
    template <class GetExecutor>
    void arm(
        deadline_entry& entry,
        deadline_entry::time_point when,
        GetExecutor&& executor
    )
    {
        const std::lock_guard lock(mutex_);
        if (!timer_)
            timer_.emplace(boost::asio::any_io_executor(boost::asio::prefer(
                executor(),
                boost::asio::execution::outstanding_work.untracked
            )));
        insert(entry, when);
    }

    // On return the entry is not armed and its expire() is not running.
    void disarm(deadline_entry& entry) noexcept;

private:
    void shutdown() override;
    void insert(deadline_entry& entry, deadline_entry::time_point when);
    void set_timer(boost::asio::steady_timer& timer, deadline_entry::time_point when);
    void on_timer();

    std::recursive_mutex mutex_;  // an expiry may drop, and so disarm, another operation
    boost::intrusive::multiset<deadline_entry> armed_;  // guarded by mutex_
    std::optional<boost::asio::steady_timer> timer_;    // guarded by mutex_
};

}  // namespace sluice::detail
