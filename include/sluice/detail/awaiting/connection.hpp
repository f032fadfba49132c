// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/post.hpp>
#include <sluice/detail/waiting/time_limit.hpp>
#include <sluice/detail/waiting/wait_hub.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/query.hpp>

#include <chrono>
#include <concepts>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// Sits in the cancellation slot of an operation. A total cancellation promises that nothing has
// changed, so it does not reach an operation of which a part has happened. For all others
// terminal, partial and total mean the same, because they leave nothing half done.
class cancel_hook
{
public:
    explicit cancel_hook(waiter& target) noexcept : target_(&target) {}

    void operator()(boost::asio::cancellation_type type) noexcept
    {
        using boost::asio::cancellation_type;
        const bool may_be_in_part = (type & (cancellation_type::terminal |
                                             cancellation_type::partial)) !=
                                    cancellation_type::none;
        if (may_be_in_part)
            target_->cancel(boost::asio::error::operation_aborted);
        else
            target_->cancel_without_effect(boost::asio::error::operation_aborted);
    }

private:
    waiter* target_;
};

// Of an operation that has ended, or goes with its queue: a signal must not reach it any more.
template <class Slot>
void empty_slot(Slot slot) noexcept
{
    if (slot.is_connected())
        slot.clear();
}

// Most often it is that of an io_context, and to ask that costs less than to ask what hides it.
template <class Executor>
[[gnu::always_inline]] inline boost::asio::execution_context& context_of(
    const Executor& executor
) noexcept
{
    if (const io_executor* const io = io_executor_in(executor))
        return boost::asio::query(*io, boost::asio::execution::context);
    return boost::asio::query(executor, boost::asio::execution::context);
}

// For a context that its hub, or one of its hubs, does not know yet.
[[nodiscard]] bool attach_elsewhere(
    waiter& target,
    boost::asio::execution_context& context
);

// Connects an operation with the context of its owner before it waits. Most often that is the
// home of its hub, and then it takes a few instructions. False: the context is being destroyed,
// so nothing would end the wait.
[[nodiscard, gnu::always_inline]] inline bool attach(
    waiter& target,
    boost::asio::execution_context& context
)
{
    if (target.hub_ != nullptr && target.hub_->home_context() == &context)
        target.waiter::set_context(&context);
    else
        return attach_elsewhere(target, context);
    return true;
}

// To be called once for a new hub, with the context of its own executor.
void attach_home(wait_hub& hub, boost::asio::execution_context& context);

// Enters an operation into the wait log of the task that an executor belongs to (P9). Null if the
// executor is not that of a task.
[[nodiscard]] wait_log* enter_log(
    const boost::asio::any_io_executor& executor,
    waiter& operation
) noexcept;

void leave_log(wait_log& log, waiter& operation) noexcept;

class deadline_service;

// A node of a red-black tree, which the service orders.
struct deadline_node
{
    deadline_node* parent = nullptr;
    deadline_node* left = nullptr;
    deadline_node* right = nullptr;
    bool is_black = false;
};

// What is told when its time has come. Lives as long as it is armed.
class deadline_entry : private deadline_node
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

    [[nodiscard]] bool is_linked() const noexcept { return parent != nullptr; }

protected:
    ~deadline_entry() = default;

private:
    friend class deadline_service;

    time_point due_;  // guarded by the mutex of the service, as the node
};

// The deadline of an operation, in the service of its context.
class deadline final : private deadline_entry
{
public:
    void arm(waiter& target, boost::asio::execution_context& context, time_limit limit);

    // Of a batch that lingers: first for the wait until something is there.
    void arm(
        waiter& target,
        boost::asio::execution_context& context,
        const linger_limit& limit
    );

    // Then for the rest; see waiter::linger().
    [[nodiscard]] bool linger() noexcept;

    void disarm() noexcept
    {
        if (service_ != nullptr)
            leave(*std::exchange(service_, nullptr));
    }

private:
    void expire() noexcept override;
    void leave(deadline_service& service) noexcept;

    waiter* target_ = nullptr;
    deadline_service* service_ = nullptr;
    time_limit others_;     // of a batch that lingers
    bool lingers_ = false;  // guarded by the mutex of the hub
};

// That of an operation without a limit, which needs no room to say so.
struct no_deadline
{
    static void disarm() noexcept {}
};

// What a waiter is connected to while it waits: its execution context, the wait log of its
// task and, if it has a `Limit`, its deadline. Connected before the operation is started,
// because afterwards it may complete, and its memory be gone, at any moment.
//
// A deadline that passes, or a report that is made, calls the waiter until this is closed; so
// the destructor of the waiter's last class closes it first.
template <class Limit>
class connection
{
public:
    explicit connection(waiter& target) noexcept : target_(target) {}

    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;

    ~connection() { close(); }

    // The executor must live until close(). Gives what start() needs to know.
    template <class Executor>
    [[nodiscard]] wait_mode open(const Executor& executor, const Limit& limit)
    {
        return begin(attach(executor), executor, limit);
    }

    // The two parts of that. False: the context of the executor is being destroyed.
    template <class Executor>
    [[nodiscard]] bool attach(const Executor& executor)
    {
        return detail::attach(target_, context_of(executor));
    }

    template <class Executor>
    [[nodiscard]] wait_mode begin(
        bool is_attached,
        const Executor& executor,
        const Limit& limit
    )
    {
        if (!is_attached) {
            target_.cancel(boost::asio::error::operation_aborted);
            return wait_mode::gives_up;
        }
        if (limit.has_passed())
            return wait_mode::gives_up;
        if constexpr (std::same_as<Executor, boost::asio::any_io_executor>)
            if (io_executor_in(executor) == nullptr)  // most often it is
                log_ = enter_log(executor, target_);
        if constexpr (!std::same_as<Limit, no_limit>)
            deadline_.arm(target_, context_of(executor), limit);
        return wait_mode::waits;
    }

    // See waiter::linger().
    [[nodiscard]] bool linger() noexcept
    {
        if constexpr (std::same_as<Limit, linger_limit>)
            return deadline_.linger();
        else
            return false;
    }

    [[gnu::always_inline]] void close() noexcept
    {
        deadline_.disarm();
        if (log_ != nullptr)
            leave_log(*std::exchange(log_, nullptr), target_);
    }

private:
    waiter& target_;
    wait_log* log_ = nullptr;  // of the executor
    [[no_unique_address]] std::
        conditional_t<std::same_as<Limit, no_limit>, no_deadline, deadline> deadline_;
};

}  // namespace sluice::detail
