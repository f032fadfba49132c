// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/detail/coordinator_core.hpp>
#include <sluice/coordination/detail/task_value.hpp>
#include <sluice/detail/waiting/operation_forms.hpp>
#include <sluice/error.hpp>

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>

#include <concepts>
#include <exception>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// The end of a task, however it ended.
class task_end_waiter : public gives_nothing<task_waiter>
{
public:
    using gives_nothing::gives_nothing;

    [[nodiscard]] std::string describe() const override
    {
        return "the end of task '" + record().name() + "'";
    }

protected:
    ~task_end_waiter() = default;
};

// What a task gives or throws.
class task_outcome_waiter : public task_waiter
{
public:
    using task_waiter::task_waiter;

    [[nodiscard]] std::string describe() const override
    {
        return "the result of task '" + record().name() + "'";
    }

protected:
    ~task_outcome_waiter() = default;

    void rethrow_failure() const;

    // The task itself, and alone.
    void cancel_task(boost::asio::cancellation_type type) noexcept;
};

// `Given` is what a handler gets: the T, or an optional one.
template <class T, class Given>
class task_result_waiter : public task_outcome_waiter
{
public:
    using signature = void(std::exception_ptr, Given);

    struct arguments
    {
        task_waiter::arguments task;
        value_ptr<T> value;
    };

    explicit task_result_waiter(arguments&& args) noexcept
        : task_outcome_waiter(std::move(args.task)), value_(std::move(args.value))
    {
    }

    T result()
    {
        rethrow_failure();
        std::optional<T> value = value_->take();
        if (!value)
            throw system_error(errc::invalid_argument, describe() + ", taken before");
        return std::move(*value);
    }

    [[nodiscard]] std::tuple<std::exception_ptr, Given> outcome()
    {
        try {
            return {nullptr, result()};
        } catch (...) {
            return {std::current_exception(), Given()};
        }
    }

protected:
    ~task_result_waiter() = default;

private:
    const value_ptr<T> value_;
};

template <>
class task_result_waiter<void, void> : public task_outcome_waiter
{
public:
    using signature = void(std::exception_ptr);

    struct arguments
    {
        task_waiter::arguments task;
        value_ptr<void> none = nullptr;
    };

    explicit task_result_waiter(arguments&& args) noexcept
        : task_outcome_waiter(std::move(args.task))
    {
    }

    void result() const { rethrow_failure(); }

    [[nodiscard]] std::tuple<std::exception_ptr> outcome() const noexcept
    {
        try {
            result();
            return {nullptr};
        } catch (...) {
            return {std::current_exception()};
        }
    }

protected:
    ~task_result_waiter() = default;
};

// What the handler of a task_handle gets, and that of spawn(), which is as that of co_spawn().
template <class T>
struct given_value
{
    using by_handle = std::optional<T>;
    using by_spawn =
        std::conditional_t<std::default_initializable<T>, T, std::optional<T>>;
};

template <>
struct given_value<void>
{
    using by_handle = void;
    using by_spawn = void;
};

template <class T>
using given_by_handle = typename given_value<T>::by_handle;
template <class T>
using given_by_spawn = typename given_value<T>::by_spawn;

// The handler of spawn() waits. What its slot emits is for the task, whose end it then waits for.
template <class T>
class spawned_task_waiter : public task_result_waiter<T, given_by_spawn<T>>
{
    using base = task_result_waiter<T, given_by_spawn<T>>;

public:
    class slot_hook
    {
    public:
        explicit slot_hook(spawned_task_waiter& target) noexcept : target_(&target) {}

        void operator()(boost::asio::cancellation_type type) noexcept
        {
            target_->cancel_task(type);
        }

    private:
        spawned_task_waiter* target_;
    };

    using base::base;

protected:
    ~spawned_task_waiter() = default;
};

}  // namespace sluice::detail
