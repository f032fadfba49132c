// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/deadline.hpp>
#include <sluice/detail/awaiting/post.hpp>
#include <sluice/detail/waiting/time_limit.hpp>
#include <sluice/detail/waiting/wait_hub.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/query.hpp>

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

template <class Executor>
boost::asio::execution_context& context_of(const Executor& executor) noexcept
{
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
        // Most often it is this one, and to ask it costs less than to ask a type-erased one.
        const io_executor* const io = io_executor_in(executor);
        return begin(attach(executor, io), executor, io, limit);
    }

    // The two parts of that. False: the context of the executor is being destroyed.
    template <class Executor>
    [[nodiscard]] bool attach(const Executor& executor)
    {
        return attach(executor, io_executor_in(executor));
    }

    template <class Executor>
    [[nodiscard]] wait_mode begin(
        bool is_attached,
        const Executor& executor,
        const Limit& limit
    )
    {
        return begin(is_attached, executor, io_executor_in(executor), limit);
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
    template <class Executor>
    [[nodiscard, gnu::always_inline]] bool attach(
        const Executor& executor,
        const io_executor* io
    )
    {
        return detail::attach(
            target_,
            io != nullptr ? context_of(*io) : context_of(executor)
        );
    }

    template <class Executor>
    [[nodiscard, gnu::always_inline]] wait_mode begin(
        bool is_attached,
        const Executor& executor,
        [[maybe_unused]] const io_executor* io,
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
            log_ = io != nullptr ? nullptr : enter_log(executor, target_);
        if constexpr (!std::same_as<Limit, no_limit>)
            deadline_.arm(target_, context_of(executor), limit);
        return wait_mode::waits;
    }

    using deadline_type = std::conditional_t<
        std::same_as<Limit, no_limit>,
        no_deadline,
        std::conditional_t<std::same_as<Limit, linger_limit>, linger_deadline, deadline>>;

    waiter& target_;
    wait_log* log_ = nullptr;  // of the executor
    [[no_unique_address]] deadline_type deadline_;
};

}  // namespace sluice::detail
