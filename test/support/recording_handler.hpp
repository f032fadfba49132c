// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "support/recording.hpp"
#include "support/tracking_executor.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace sluice::test {

namespace asio = boost::asio;

// Why: the token gives every operation a handler that is as awkward as allowed (move-only,
// with or without an executor, an allocator, a cancellation slot) and reports what became
// of it:
//
//     auto op = q.async_dequeue(record);    // or record.on(ex).allocated_by(a).cancellable()
//     op.check_pending();
//     run();
//     op.check_success().check_value(7);

/// Stands for an association that a recording handler does not have.
struct unset
{
};

namespace detail {

template <class Executor>
struct with_executor
{
    using executor_type = Executor;
    executor_type get_executor() const noexcept { return associated_executor; }

    Executor associated_executor;
};
template <>
struct with_executor<unset>
{
    unset associated_executor;
};

template <class Allocator>
struct with_allocator
{
    using allocator_type = Allocator;
    allocator_type get_allocator() const noexcept { return associated_allocator; }

    Allocator associated_allocator;
};
template <>
struct with_allocator<unset>
{
    unset associated_allocator;
};

template <bool Cancellable>
struct with_slot
{
    using cancellation_slot_type = asio::cancellation_slot;
    cancellation_slot_type get_cancellation_slot() const noexcept
    {
        return associated_slot;
    }

    asio::cancellation_slot associated_slot;
};
template <>
struct with_slot<false>
{
};

}  // namespace detail

/// A move-only completion handler that writes into a state which survives it.
template <class Executor, class Allocator, bool Cancellable, class... Args>
class recording_handler : public detail::with_executor<Executor>,
                          public detail::with_allocator<Allocator>,
                          public detail::with_slot<Cancellable>
{
public:
    using state_type = detail::record_state_of<Args...>;

    recording_handler(
        Executor executor,
        Allocator allocator,
        std::shared_ptr<state_type> state
    )
        : detail::with_executor<Executor>{std::move(executor)},
          detail::with_allocator<Allocator>{std::move(allocator)},
          state_{std::move(state)}
    {
        if constexpr (Cancellable)
            this->associated_slot = state_->cancellation.slot();
    }
    recording_handler(recording_handler&&) noexcept = default;
    recording_handler& operator=(recording_handler&&) = delete;
    ~recording_handler()
    {
        if (state_)
            state_->note_destruction();
    }

    template <class... Actual>
    void operator()(Actual&&... arguments)
    {
        if (!state_->arguments)
            state_->arguments.emplace(std::forward<Actual>(arguments)...);
        state_->note_call();
    }

private:
    std::shared_ptr<state_type> state_;  // null after a move
};

/// The completion token behind `record`.
template <class Executor = unset, class Allocator = unset, bool Cancellable = false>
class record_token
{
public:
    record_token() = default;
    record_token(Executor executor, Allocator allocator, std::function<void()> then)
        : executor_{std::move(executor)},
          allocator_{std::move(allocator)},
          then_{std::move(then)}
    {
    }

    /// The handler has this associated executor; check_done verifies a tracking executor.
    template <class NewExecutor>
    [[nodiscard]] auto on(NewExecutor executor) const
    {
        return record_token<NewExecutor, Allocator, Cancellable>{
            std::move(executor),
            allocator_,
            then_
        };
    }

    /// The handler has this associated allocator.
    template <class NewAllocator>
    [[nodiscard]] auto allocated_by(NewAllocator allocator) const
    {
        return record_token<Executor, NewAllocator, Cancellable>{
            executor_,
            std::move(allocator),
            then_
        };
    }

    /// The handler has an associated cancellation slot, for recording::cancel.
    [[nodiscard]] auto cancellable() const
    {
        return record_token<Executor, Allocator, true>{executor_, allocator_, then_};
    }

    /// The handler calls this when it has recorded: to use the queue from inside a handler.
    [[nodiscard]] auto then(std::function<void()> function) const
    {
        return record_token{executor_, allocator_, std::move(function)};
    }

    /// Start an operation; used by async_result.
    template <class... Args, class Initiation, class... InitArgs>
    recording<Args...> initiate(Initiation&& initiation, InitArgs&&... arguments) const
    {
        auto state = std::make_shared<detail::record_state_of<Args...>>();
        state->then = then_;
        if constexpr (std::is_convertible_v<Executor, asio::any_io_executor>)
            state->expected_executor = executor_id(executor_);
        recording_handler<Executor, Allocator, Cancellable, Args...> handler{
            executor_,
            allocator_,
            state
        };
        initiation_guard guard;
        std::forward<Initiation>(initiation)(
            std::move(handler),
            std::forward<InitArgs>(arguments)...
        );
        return recording<Args...>{std::move(state)};
    }

private:
    Executor executor_{};         // unset: none
    Allocator allocator_{};       // unset: none
    std::function<void()> then_;  // may be empty
};

/// The completion token that records: `auto op = q.async_dequeue(record);`
inline const record_token<> record{};

}  // namespace sluice::test

template <class Executor, class Allocator, bool Cancellable, class... Args>
class boost::asio::async_result<
    sluice::test::record_token<Executor, Allocator, Cancellable>,
    void(Args...)>
{
public:
    using return_type = sluice::test::recording<std::decay_t<Args>...>;

    template <class Initiation, class Token, class... InitArgs>
    static return_type initiate(
        Initiation&& initiation,
        const Token& token,
        InitArgs&&... arguments
    )
    {
        return token.template initiate<std::decay_t<Args>...>(
            std::forward<Initiation>(initiation),
            std::forward<InitArgs>(arguments)...
        );
    }
};
