// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/detail/coordinator_state.hpp>
#include <sluice/coordination/detail/task_body.hpp>
#include <sluice/coordination/detail/task_waiters.hpp>
#include <sluice/coordination/task_options.hpp>
#include <sluice/detail/awaiting/handler_op.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <exception>
#include <memory>
#include <source_location>
#include <type_traits>
#include <utility>

namespace sluice::detail {

template <class Task>
using spawn_signature = typename spawned_task_waiter<result_of_task<Task>>::signature;

// The options have an executor.
template <class Task>
void spawn(
    coordinator_state& scope,
    const record_ptr& record,
    const task_options& options,
    const value_ptr<result_of_task<Task>>& value,
    Task&& task
)
{
    scope.spawn(
        record,
        options,
        on_any_executor(
            keep_result(value, start_task(std::forward<Task>(task))),
            options.executor
        )
    );
}

// What Asio calls, at once or when a deferred spawn is started, with the handler that it has made
// of a token. The handler waits before the task begins, so that all memory for it is there; and so
// a failure to begin is told to it, too.
class spawn_with_token
{
public:
    using executor_type = boost::asio::any_io_executor;

    explicit spawn_with_token(boost::intrusive_ptr<coordinator_state> scope)
        : scope_(std::move(scope))
    {
    }

    [[nodiscard]] const executor_type& get_executor() const noexcept
    {
        return scope_->get_executor();
    }

    template <class Handler, class Task>
    void operator()(
        Handler&& handler,
        task_options options,
        Task task,
        const std::source_location& where
    ) const
    {
        using result = result_of_task<Task>;
        const auto record = std::make_shared<task_record>(std::move(options.name), where);
        const auto value = make_task_value<result>();
        handler_op<
            spawned_task_waiter<result>,
            std::decay_t<Handler>,
            executor_type,
            no_limit>::
            initiate(
                {{scope_, record}, value},
                std::decay_t<Handler>(std::forward<Handler>(handler)),
                get_executor(),
                {}
            );
        try {
            detail::spawn(*scope_, record, options, value, std::move(task));
        } catch (...) {
            scope_->task_refused(*record, std::current_exception());
        }
    }

private:
    boost::intrusive_ptr<coordinator_state> scope_;
};

// What spawn() returns for the token.
template <class Task, class Token>
using spawn_result = decltype(boost::asio::async_initiate<Token, spawn_signature<Task>>(
    std::declval<spawn_with_token>(),
    std::declval<std::remove_reference_t<Token>&>(),
    std::declval<task_options>(),
    std::declval<Task>(),
    std::source_location()
));

}  // namespace sluice::detail
