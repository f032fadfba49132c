// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/detail/coordinator_core.hpp>
#include <sluice/coordination/task_options.hpp>
#include <sluice/detail/awaiting/post.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_type.hpp>

#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>

namespace sluice::detail {

// A coordinator_core with what it needs of an event loop: a timer, signals, and tasks that are
// coroutines. Shared by the coordinator and everything it started, so that either may go first.
class coordinator_state final : public coordinator_core
{
public:
    using executor_type = boost::asio::any_io_executor;

    coordinator_state(
        executor_type executor,
        coordinator_options options,
        core_ptr parent
    );

    ~coordinator_state() override;

    // On the executor of the scope. The companion is kept until the failure of the task, if any,
    // has stopped the scope.
    void spawn(
        std::string name,
        boost::asio::awaitable<void> body,
        std::shared_ptr<void> companion = nullptr
    );

    // The options have an executor; the name is that of the record.
    void spawn(
        record_ptr record,
        const task_options& options,
        boost::asio::awaitable<void> body,
        std::shared_ptr<void> companion = nullptr
    );

    // Starts the body of a scope (C8).
    void spawn_body(boost::asio::awaitable<void> body);

    // One task alone, if it runs.
    void cancel(const task_record& record, boost::asio::cancellation_type type) noexcept;

    void request_stop_on_signal(std::initializer_list<int> signals);

    [[nodiscard]] const executor_type& get_executor() const noexcept { return executor_; }

private:
    // Incomplete here: Asio's headers of timers and signals take longer to compile than all of
    // this library.
    class timer;
    class signals;

    void changed() noexcept override;
    void home_destroyed() noexcept override;
    friend posted_call;

    void post_timer() noexcept;
    void run_posted();
    void drop_posted() noexcept;
    void set_timer();

    const executor_type executor_;

    // Both exist only while they are waited for, so that neither keeps the context busy, or
    // outlives it, without need. Guarded by event_mutex_.
    std::mutex event_mutex_;
    std::unique_ptr<timer> timer_;
    std::unique_ptr<signals> signals_;

    // set_timer() is on its way to the executor. Guarded by event_mutex_.
    bool timer_is_posted_ = false;
    post_memory timer_memory_;
};

}  // namespace sluice::detail
