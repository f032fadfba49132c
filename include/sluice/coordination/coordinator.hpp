// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/coordinator_options.hpp>
#include <sluice/coordination/detail/coordinator_state.hpp>
#include <sluice/coordination/detail/coordinator_waiters.hpp>
#include <sluice/coordination/task_info.hpp>
#include <sluice/detail/awaitable_awaiter.hpp>
#include <sluice/detail/operation.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <concepts>
#include <exception>
#include <initializer_list>
#include <memory>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice {

class coordinator
{
    template <class Waiter>
    using operation = detail::operation<Waiter, boost::asio::any_io_executor>;

public:
    using executor_type = boost::asio::any_io_executor;

    explicit coordinator(const executor_type& executor, coordinator_options options = {});

    template <class Context>
        requires(!std::derived_from<Context, coordinator>) && requires(Context& context) {
            { context.get_executor() } -> std::convertible_to<executor_type>;
        }
    explicit coordinator(Context& context, coordinator_options options = {})
        : coordinator(executor_type(context.get_executor()), std::move(options))
    {
    }

    explicit coordinator(coordinator& parent);
    coordinator(coordinator& parent, coordinator_options options);

    coordinator(const coordinator&) = delete;
    coordinator& operator=(const coordinator&) = delete;

    ~coordinator();

    [[nodiscard]] const executor_type& get_executor() const noexcept;

    [[nodiscard]] bool should_stop() const noexcept { return state_->should_stop(); }

    [[nodiscard]] bool joined() const noexcept { return state_->joined(); }

    [[nodiscard]] std::stop_token get_stop_token() const { return state_->get_stop_token(); }

    [[nodiscard]] std::vector<task_info> tasks() const { return state_->tasks(); }

    [[nodiscard]] std::vector<std::exception_ptr> exceptions() const
    {
        return state_->exceptions();
    }

    void rethrow_requested_exception() const { state_->rethrow_requested_exception(); }

    void request_stop(std::exception_ptr cause = nullptr)
    {
        state_->request_stop(std::move(cause));
    }

    void clear_stop() { state_->clear_stop(); }

    void request_stop_on_signal(std::initializer_list<int> signals)
    {
        state_->request_stop_on_signal(signals);
    }

    template <class Queue>
    void close_on_stop(Queue& queue)
    {
        state_->close_on_stop(&queue.core());
    }

    void spawn(std::string name, boost::asio::awaitable<void> task)
    {
        state_->spawn(std::move(name), std::move(task));
    }

    template <class Body>
        requires std::is_invocable_r_v<boost::asio::awaitable<void>, Body&>
    void spawn(std::string name, Body body)
    {
        state_->spawn(std::move(name), run(std::move(body)));
    }

    template <class T, class Executor>
    boost::asio::awaitable<void, Executor> stop_on_exception(
        boost::asio::awaitable<T, Executor> task
    )
    {
        auto state = state_;
        std::exception_ptr failure;
        try {
            co_await std::move(task);
        } catch (...) {
            failure = std::current_exception();
        }
        if (failure)
            state->request_stop(failure);
    }

    [[nodiscard]] auto wait_for_stop()
    {
        return operation<detail::wait_for_stop_waiter>({state_.get()}, get_executor());
    }

    [[nodiscard]] auto join()
    {
        return operation<detail::join_tasks_waiter>(
            {state_.get(),
             detail::time_limit::within(state_->options().stop_grace_period)},
            get_executor()
        );
    }

    template <class Token>
    auto async_wait_for_stop(Token&& token)
    {
        return wait_for_stop()(std::forward<Token>(token));
    }

    template <class Token>
    auto async_join(Token&& token)
    {
        return join()(std::forward<Token>(token));
    }

private:
    // Keeps the callable, and so what it captures, until the task has ended.
    template <class Body>
    static boost::asio::awaitable<void> run(Body body)
    {
        co_await body();
    }

    coordinator(
        const executor_type& executor,
        coordinator_options options,
        detail::coordinator_state* parent
    );

    const boost::intrusive_ptr<detail::coordinator_state> state_;
};

}  // namespace sluice
