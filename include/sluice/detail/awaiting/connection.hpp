// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/deadline_service.hpp>
#include <sluice/detail/awaiting/io_executor.hpp>
#include <sluice/detail/awaiting/supervised_executor.hpp>
#include <sluice/detail/waiting/time_limit.hpp>
#include <sluice/detail/waiting/wait_service.hpp>
#include <sluice/detail/waiting/waiter.hpp>
#include <sluice/error.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
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

// What sits there for a handler, unless the waiter has another one.
template <class Waiter>
struct slot_hook_choice
{
    using type = cancel_hook;
};

template <class Waiter>
    requires requires { typename Waiter::slot_hook; }
struct slot_hook_choice<Waiter>
{
    using type = typename Waiter::slot_hook;
};

template <class Waiter>
using slot_hook_of = typename slot_hook_choice<Waiter>::type;

template <class Executor>
boost::asio::execution_context& context_of(const Executor& executor) noexcept
{
    return boost::asio::query(executor, boost::asio::execution::context);
}

// The wait log of the task that an executor belongs to, null if it is not supervised.
template <class Executor>
wait_log* wait_log_of(const Executor& executor)
{
    const supervised_executor* supervised = nullptr;
    if constexpr (std::same_as<Executor, supervised_executor>)
        supervised = &executor;
    else if constexpr (std::same_as<Executor, boost::asio::any_io_executor>)
        supervised = executor.template target<supervised_executor>();
    return supervised == nullptr ? nullptr : &supervised->log();
}

// The deadline of an operation with a limit.
class deadline final : private deadline_entry
{
public:
    template <class Executor>
    void arm(waiter& target, const Executor& executor, const time_limit& limit)
    {
        if (!limit.is_set())  // or longer than the clock can count
            return;
        target_ = &target;
        service_ = &boost::asio::use_service<deadline_service>(context_of(executor));
        service_->arm(*this, limit.deadline());
    }

    void disarm() noexcept
    {
        if (service_ != nullptr)
            std::exchange(service_, nullptr)->disarm(*this);
    }

private:
    void expire() noexcept override { target_->cancel(errc::timed_out); }

    waiter* target_ = nullptr;
    deadline_service* service_ = nullptr;
};

// The deadline of one that has none, and needs no room to say so.
class no_deadline
{
public:
    template <class Executor>
    static void arm(waiter& /*target*/, const Executor& /*executor*/, no_limit /*limit*/)
    {
    }

    static void disarm() noexcept {}
};

// That of a batch that lingers: first for the wait until something is there, then for the rest.
class linger_deadline final : private deadline_entry
{
public:
    template <class Executor>
    void arm(waiter& target, const Executor& executor, const linger_limit& limit)
    {
        target_ = &target;
        others_ = limit.others();
        service_ = &boost::asio::use_service<deadline_service>(context_of(executor));
        if (limit.first().is_set())
            service_->arm(*this, limit.first().deadline());
    }

    // See waiter::linger(). One that gives up is not armed; and without memory for a timer nothing
    // would end the wait.
    [[nodiscard]] bool linger() noexcept
    {
        if (service_ == nullptr || others_.has_passed())
            return false;
        if (!lingers_)
            lingers_ = service_->try_rearm(*this, others_.deadline());
        return lingers_;
    }

    void disarm() noexcept
    {
        if (service_ != nullptr)
            std::exchange(service_, nullptr)->disarm(*this);
    }

private:
    void expire() noexcept override { target_->expire(); }

    waiter* target_ = nullptr;
    deadline_service* service_ = nullptr;
    time_limit others_;
    bool lingers_ = false;  // guarded by the mutex of the hub
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
            std::exchange(log_, nullptr)->end(target_);
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
        const io_executor* io,
        const Limit& limit
    )
    {
        if (!is_attached) {
            target_.cancel(boost::asio::error::operation_aborted);
            return wait_mode::gives_up;
        }
        if (limit.has_passed())
            return wait_mode::gives_up;
        log_ = io != nullptr ? nullptr : wait_log_of(executor);
        if (log_ != nullptr)
            log_->begin(target_);
        deadline_.arm(target_, executor, limit);
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
