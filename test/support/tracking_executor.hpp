// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/require.hpp>

#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::test {

namespace asio = boost::asio;

namespace detail {

template <class T, class U>
concept other_than = !std::is_same_v<T, U>;

}  // namespace detail

// Why: "a completion runs on its own executor, and never from within the initiating function"
// can only be tested if a handler can ask where it is.

/// An executor with an identity; while it runs a function, running_executors() ends in its id.
class tracking_executor
{
public:
    /// Wrap an executor. Each construction has an id of its own (1, 2, ...); copies share it.
    // A template, so that the question whether the class is an executor (which asks for its
    // copy constructor) does not ask whether it converts to any_io_executor.
    template <detail::other_than<tracking_executor> Inner>
    explicit tracking_executor(Inner inner)
        : tracking_executor{next_id(), asio::any_io_executor{std::move(inner)}}
    {
    }

    [[nodiscard]] int id() const noexcept { return id_; }

    template <class Function>
    void execute(Function&& function) const
    {
        inner_.execute(
            tracked<std::decay_t<Function>>{id_, std::forward<Function>(function)}
        );
    }

    template <class Property>
    auto query(const Property& property) const
        -> decltype(asio::query(std::declval<const asio::any_io_executor&>(), property))
    {
        return asio::query(inner_, property);
    }

    template <class Property>
    auto require(const Property& property) const -> std::enable_if_t<
        asio::can_require_v<const asio::any_io_executor&, Property>,
        tracking_executor>
    {
        return {id_, asio::require(inner_, property)};
    }

    template <class Property>
    auto prefer(const Property& property) const -> std::enable_if_t<
        asio::can_prefer_v<const asio::any_io_executor&, Property>,
        tracking_executor>
    {
        return {id_, asio::prefer(inner_, property)};
    }

    friend bool operator==(const tracking_executor&, const tracking_executor&) = default;

private:
    class on_stack
    {
    public:
        explicit on_stack(int id);
        on_stack(const on_stack&) = delete;
        on_stack& operator=(const on_stack&) = delete;
        ~on_stack();
    };

    template <class Function>
    struct tracked
    {
        void operator()()
        {
            on_stack scope{id};
            std::move(function)();
        }

        int id;
        Function function;
    };

    tracking_executor(int id, asio::any_io_executor inner)
        : id_{id}, inner_{std::move(inner)}
    {
    }

    static int next_id() noexcept;

    int id_;                       // same for all that was derived from one construction
    asio::any_io_executor inner_;  // does the work
};

/// The ids of the tracking executors on this thread's stack, outermost first.
[[nodiscard]] const std::vector<int>& running_executors() noexcept;

/// The innermost of them, or 0: which tracking executor runs the caller.
[[nodiscard]] int current_executor() noexcept;

/// The id of a tracking executor inside an any_io_executor, or 0.
[[nodiscard]] int executor_id(const asio::any_io_executor& executor) noexcept;

/// Marks the time in which this thread is inside an initiating function.
/**
 * The token of recording_handler.hpp sets it by itself. Put one around any other call that
 * must not run a handler on the caller's stack (`try_enqueue`, `close`, `request_stop`).
 */
class initiation_guard
{
public:
    initiation_guard() noexcept;
    initiation_guard(const initiation_guard&) = delete;
    initiation_guard& operator=(const initiation_guard&) = delete;
    ~initiation_guard();

    /// Whether this thread is inside an initiating function now.
    [[nodiscard]] static bool active() noexcept;
};

}  // namespace sluice::test
