// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/awaiter.hpp>
#include <sluice/detail/awaiting/connection.hpp>
#include <sluice/detail/awaiting/post.hpp>
#include <sluice/detail/awaiting/supervised_executor.hpp>
#include <sluice/detail/waiting/time_limit.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/thread_pool.hpp>

#include <concepts>
#include <condition_variable>
#include <coroutine>
#include <mutex>
#include <utility>

namespace sluice::detail {

// Whether this thread is one of those that run the context of an executor. Executors of other
// contexts are not recognised.
template <class Executor>
[[nodiscard]] bool runs_on_this_thread(const Executor& executor)
{
    if (const io_executor* io = io_executor_in(executor
        ))  // most often, and without a copy
        return io->running_in_this_thread();
    const boost::asio::any_io_executor inner = without_strand(executor);
    if (const io_executor* io = io_executor_in(inner))
        return io->running_in_this_thread();
    const auto* pool = inner.target<boost::asio::thread_pool::executor_type>();
    return pool != nullptr && pool->running_in_this_thread();
}

// What a thread sleeps on that waits for an operation. The thread destroys it as soon as it has
// been told, so it is told, and woken, under the mutex.
class thread_signal
{
public:
    void tell() noexcept
    {
        const std::lock_guard lock(mutex_);
        is_told_ = true;
        changed_.notify_one();
    }

    // From now on the thread sleeps until `deadline` at most.
    void set_deadline(time_limit::clock::time_point deadline) noexcept
    {
        const std::lock_guard lock(mutex_);
        deadline_ = deadline;
        changed_.notify_one();
    }

    void wait()
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return is_told_; });
    }

    // False: the deadline has passed, and nothing was told.
    [[nodiscard]] bool wait_until_deadline()
    {
        std::unique_lock lock(mutex_);
        while (!is_told_ && time_limit::clock::now() < deadline_) {
            if (deadline_ == time_limit::clock::time_point::max())
                changed_.wait(lock);
            else
                changed_.wait_until(lock, deadline_);
        }
        return is_told_;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    time_limit::clock::time_point deadline_ = time_limit::clock::time_point::max(
    );                      // guarded by mutex_
    bool is_told_ = false;  // guarded by mutex_
};

// The waiter of an operation for which a thread waits. It lies on the stack of that thread. What
// completes the operation wakes the thread directly: no executor takes part, and a deadline is
// that of the thread, so it passes although no thread runs the context.
template <class Operation>
class thread_waiter final : public waiter_of<Operation>
{
    using base = waiter_of<Operation>;
    using limit_type = limit_of<Operation>;
    static constexpr bool lingers = std::same_as<limit_type, linger_limit>;

public:
    explicit thread_waiter(Operation& operation)
        : base(operation.take_arguments()), limit_(operation.limit())
    {
    }

    ~thread_waiter()
    {
        end_wait();
        base::forget();
    }

    // For awaiter: a coroutine that is never suspended. Returns when the operation is complete.
    bool begin_wait(
        std::coroutine_handle<> /*thread*/,
        const Operation& operation,
        delivery how
    )
    {
        wait_mode mode = connection_.open(operation.get_executor(), no_limit());
        if (limit_.has_passed())
            mode = wait_mode::gives_up;
        else
            set_deadline();
        if (base::start(how, mode))
            return false;
        sleep();
        if (!is_abandoned_)
            base::finish_delivery();
        return false;
    }

    void end_wait() noexcept { connection_.close(); }

private:
    void set_deadline()
    {
        if constexpr (lingers) {
            if (limit_.first().is_set())
                signal_.set_deadline(limit_.first().deadline());
        } else if constexpr (std::same_as<limit_type, time_limit>) {
            if (limit_.is_set())
                signal_.set_deadline(limit_.deadline());
        }
    }

    // Every operation that has begun to wait is told once, also one whose deadline passes: the
    // hub decides whether that comes before or after its completion.
    void sleep()
    {
        if constexpr (!std::same_as<limit_type, no_limit>)
            if (!signal_.wait_until_deadline())
                base::expire();
        signal_.wait();
    }

    void deliver(waiter_list& /*others*/) noexcept override { signal_.tell(); }

    // The context of the operation is being destroyed: this thread is not of that context, and
    // goes on.
    void abandon() noexcept override
    {
        base::fail(boost::asio::error::operation_aborted);
        is_abandoned_ = true;
        signal_.tell();
    }

    // See waiter::linger(). Called under the mutex of the hub; the thread holds its own mutex
    // only while it looks at its signal.
    [[nodiscard]] bool linger() noexcept override
    {
        if constexpr (lingers) {
            if (limit_.others().has_passed())
                return false;
            if (!std::exchange(is_lingering_, true))
                signal_.set_deadline(limit_.others().deadline());
            return true;
        } else {
            return false;
        }
    }

    thread_signal signal_;
    connection<no_limit> connection_{*this};
    [[no_unique_address]] const limit_type limit_;
    bool is_lingering_ = false;  // guarded by the mutex of the hub
    bool is_abandoned_ = false;  // published by signal_
};

}  // namespace sluice::detail
