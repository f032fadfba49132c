// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/detail/coroutine_task.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>

#include <new>
#include <utility>

namespace sluice::detail {

namespace asio = boost::asio;

// Tells the scope that the task has ended, also if its coroutine is destroyed halfway because the
// context dies: a join elsewhere must not wait for it.
class coroutine_task::end_of_task
{
public:
    end_of_task(
        std::shared_ptr<coroutine_task> task,
        boost::intrusive_ptr<coordinator_core> scope
    ) noexcept
        : task_(std::move(task)), scope_(std::move(scope))
    {
    }

    end_of_task(end_of_task&&) noexcept = default;

    ~end_of_task()
    {
        if (const auto scope = std::move(scope_))
            if (task_->end())
                scope->task_dropped(task_);
    }

    void operator()(std::exception_ptr exception)
    {
        const auto scope = std::move(scope_);
        if (task_->end())
            scope->task_ended(task_, exception);
    }

private:
    std::shared_ptr<coroutine_task> task_;
    boost::intrusive_ptr<coordinator_core> scope_;
};

coroutine_task::coroutine_task(
    record_ptr record,
    const task_options& options,
    asio::awaitable<void> body,
    std::shared_ptr<void> companion
)
    : coroutine_task(
          std::move(record),
          task_strand::make(options.executor),
          options.on_stop,
          std::move(body),
          std::move(companion)
      )
{
}

coroutine_task::coroutine_task(
    record_ptr record,
    const boost::intrusive_ptr<task_strand>& strand,
    asio::cancellation_type on_stop,
    asio::awaitable<void> body,
    std::shared_ptr<void> companion
)
    : supervised_task(std::move(record), std::move(companion), strand),
      executor_(strand),
      on_stop_(on_stop),
      body_(std::move(body))
{
}

void coroutine_task::launch(const boost::intrusive_ptr<coordinator_core>& scope)
{
    try {
        asio::post(
            executor_,
            [self = shared_from_this(),
             ending = end_of_task(shared_from_this(), scope)]() mutable {
                if (self->cancelled_)
                    return;  // the body is not entered; `ending` tells the scope
                asio::co_spawn(
                    asio::any_io_executor(self->executor_),
                    std::move(*self->body_),
                    asio::bind_cancellation_slot(self->signal_.slot(), std::move(ending))
                );
            }
        );
    } catch (...) {
        // A strand that finds no memory to be scheduled keeps what was posted, and with
        // it `ending`, until the context dies.
        if (end())
            scope->task_dropped(shared_from_this(), std::current_exception());
        throw;
    }
}

void coroutine_task::cancel(asio::cancellation_type type) noexcept
{
    const auto bits = static_cast<type_bits>(type);
    // One that is on its way takes this type along. acquire: the memory is free
    if (bits != 0 && to_emit_.fetch_or(bits, std::memory_order_acquire) == 0)
        executor_.post(
            [self = shared_from_this()] { self->emit_cancellation(); },
            memory_
        );
}

void coroutine_task::emit_cancellation() noexcept
{
    // release: the next one finds the memory free
    const auto type = static_cast<asio::cancellation_type>(
        to_emit_.exchange(0, std::memory_order_release)
    );
    cancelled_ = true;
    // A coroutine that was destroyed halfway has left its slots as they were.
    if (ended_)
        return;
    try {
        signal_.emit(type);
    } catch (const std::bad_alloc&) {
        cancel(type);  // again and again, and others run in between
    }
}

// False: it has been told already.
bool coroutine_task::end() noexcept
{
    if (std::exchange(ended_, true))
        return false;
    body_.reset();  // one that was not entered goes before the scope is told
    return true;
}

}  // namespace sluice::detail
