// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/require.hpp>

#if __has_include(<boost/asio/associated_immediate_executor.hpp>)
#include <boost/asio/associated_immediate_executor.hpp>
#endif

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace sluice::detail {

// Stands for the executor of a queue where the question is whether a handler brings its own.
struct no_executor
{
    template <class Function>
    void execute(Function&&) const;  // is never called

    static constexpr boost::asio::execution::blocking_t query(
        boost::asio::execution::blocking_t
    ) noexcept
    {
        return boost::asio::execution::blocking.never;
    }

    [[nodiscard]] no_executor require(boost::asio::execution::blocking_t::never_t
    ) const noexcept
    {
        return {};
    }

    friend bool operator==(no_executor, no_executor) noexcept { return true; }
};

template <class Handler>
inline constexpr bool has_own_executor = !std::is_same_v<
    boost::asio::associated_executor_t<Handler, no_executor>,
    no_executor>;

#if __has_include(<boost/asio/associated_immediate_executor.hpp>)

template <class Handler, class Executor>
using immediate_executor = boost::asio::associated_immediate_executor<Handler, Executor>;

#else

// By the protocol of newer versions.
template <class Handler, class Executor>
struct immediate_executor
{
    using type = Executor;
};

template <class Handler, class Executor>
    requires requires { typename Handler::immediate_executor_type; }
struct immediate_executor<Handler, Executor>
{
    using type = typename Handler::immediate_executor_type;

    [[nodiscard]] static type get(const Handler& handler, const Executor&) noexcept
    {
        return handler.get_immediate_executor();
    }
};

#endif

// Whether an operation that completes in its own start may call the handler from there.
template <class Handler>
inline constexpr bool has_immediate_executor =
    !std::is_same_v<typename immediate_executor<Handler, no_executor>::type, no_executor>;

// Asio demands of the executor of a handler no more than execute(). To wait in a queue takes an
// execution context, and to complete takes a post that never calls the function at once (P6).
template <class Executor>
inline constexpr bool can_be_posted_to =
    boost::asio::can_query_v<Executor, boost::asio::execution::context_t> &&
    boost::asio::can_require_v<Executor, boost::asio::execution::blocking_t::never_t>;

// The executors of a handler, kept busy from begin_work() on.
//
// A completion is posted to `home`: the executor of the handler, or, if that can only execute,
// that of the queue, from where the handler's executor is called.
template <class Handler, class Executor>
class handler_executors
{
    using associated = boost::asio::associated_executor_t<Handler, Executor>;

public:
    static constexpr bool is_relayed = !can_be_posted_to<associated>;

    using home_type = std::conditional_t<is_relayed, Executor, associated>;

    // `fallback` is where the handler runs if it has no executor of its own.
    [[nodiscard]] static home_type home_of(
        const Handler& handler,
        const Executor& fallback
    )
    {
        if constexpr (is_relayed)
            return fallback;
        else
            return boost::asio::get_associated_executor(handler, fallback);
    }

    void begin_work(const Handler& handler, const Executor& fallback)
    {
        home_.emplace(home_of(handler, fallback));
        if constexpr (is_relayed)
            relay_.emplace(boost::asio::get_associated_executor(handler, fallback));
    }

    // The handler is on its way to its own executor.
    void end_home_work() noexcept { home_.reset(); }

    [[nodiscard]] home_type home() const noexcept { return home_->get_executor(); }

private:
    std::optional<boost::asio::executor_work_guard<home_type>> home_;
    [[no_unique_address]] std::conditional_t<
        is_relayed,
        std::optional<boost::asio::executor_work_guard<associated>>,
        std::monostate> relay_;
};

}  // namespace sluice::detail
