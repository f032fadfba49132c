// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/detail/coordinator_state.hpp>
#include <sluice/coordination/detail/task_body.hpp>
#include <sluice/detail/awaiting/post.hpp>
#include <sluice/detail/awaiting/posted_call.hpp>
#include <sluice/error.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <concepts>
#include <exception>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// What a task gives to the handler that spawn() was called with. It is the companion of the task
// (C4); so the handler is called when the task has ended, also if that was never entered. All
// memory is taken before.
template <class Handler, class T>
class task_result
{
    static_assert(
        std::is_void_v<T> ||
            (std::default_initializable<T> && std::is_move_assignable_v<T>),
        "the result of a task that is spawned with a token is default-constructible and "
        "move-assignable: let the task give a std::optional<T>"
    );

public:
    // Its deleter posts it to the executor of the handler.
    struct sender
    {
        void operator()(task_result* result) const noexcept { result->send(); }
    };

    using owner = std::unique_ptr<task_result, sender>;

    task_result(Handler&& handler, const boost::asio::any_io_executor& fallback)
        : work_(boost::asio::get_associated_executor(handler, fallback)),
          handler_(std::move(handler))
    {
    }

    // Stays if the task is never entered, or destroyed halfway.
    std::exception_ptr failure = std::make_exception_ptr(
        system_error(boost::asio::error::operation_aborted, "a task that was stopped")
    );
    std::conditional_t<std::is_void_v<T>, std::tuple<>, std::tuple<T>> value;

private:
    void send() noexcept
    {
        detail::post(work_.get_executor(), posted_call(this), memory_);
    }

    friend posted_call;

    // The memory is given back before the handler is called.
    void run_posted()
    {
        std::unique_ptr<task_result> self(this);
        Handler handler(std::move(self->handler_));
        auto arguments =
            std::tuple_cat(std::tuple(std::move(self->failure)), std::move(self->value));
        self.reset();
        std::apply(std::move(handler), std::move(arguments));
    }

    void drop_posted() noexcept { delete this; }

    post_memory memory_;
    boost::asio::executor_work_guard<
        boost::asio::associated_executor_t<Handler, boost::asio::any_io_executor>>
        work_;
    Handler handler_;
};

// Runs the coroutine and notes how it ends. As a companion the result outlives the task.
template <class Result, class T>
boost::asio::awaitable<void> note_result(
    Result& result,
    boost::asio::awaitable<T> coroutine
)
{
    try {
        if constexpr (std::is_void_v<T>)
            co_await std::move(coroutine);
        else
            std::get<0>(result.value) = co_await std::move(coroutine);
        result.failure = nullptr;
    } catch (...) {
        result.failure = std::current_exception();
        throw;
    }
}

// What Asio calls, at once or when a deferred spawn is started, with the handler that it has made
// of a token. A failure is told to the handler, too.
class spawn_with_result
{
public:
    using executor_type = boost::asio::any_io_executor;

    explicit spawn_with_result(boost::intrusive_ptr<coordinator_state> scope)
        : scope_(std::move(scope))
    {
    }

    [[nodiscard]] const executor_type& get_executor() const noexcept
    {
        return scope_->get_executor();
    }

    template <class Handler, class Task>
    void operator()(Handler&& handler, std::string name, Task task) const
    {
        using value_type = typename awaitable_traits<task_of<Task>>::result;
        using result_type = task_result<std::decay_t<Handler>, value_type>;
        typename result_type::owner owner(new result_type(
            std::decay_t<Handler>(std::forward<Handler>(handler)),
            get_executor()
        ));
        result_type& result = *owner;
        std::shared_ptr<void> companion;
        try {
            companion = std::make_shared<typename result_type::owner>(std::move(owner));
            scope_->spawn(
                std::move(name),
                note_result(
                    result,
                    on_any_executor(start_task(std::move(task)), get_executor())
                ),
                companion
            );
        } catch (...) {
            result.failure = std::current_exception();
        }
    }

private:
    boost::intrusive_ptr<coordinator_state> scope_;
};

}  // namespace sluice::detail
