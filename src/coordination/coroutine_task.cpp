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
        if (scope_)
            tell(nullptr);
    }

    void operator()(std::exception_ptr exception) { tell(exception); }

private:
    void tell(const std::exception_ptr& exception) noexcept
    {
        const auto scope = std::move(scope_);
        task_->end(*scope, exception);
    }

    std::shared_ptr<coroutine_task> task_;
    boost::intrusive_ptr<coordinator_core> scope_;
};

coroutine_task::coroutine_task(
    std::string name,
    const asio::any_io_executor& executor,
    asio::awaitable<void> body,
    std::shared_ptr<void> companion
)
    : coroutine_task(
          std::move(name),
          task_strand::make(executor),
          std::move(body),
          std::move(companion)
      )
{
}

coroutine_task::coroutine_task(
    std::string name,
    const boost::intrusive_ptr<task_strand>& strand,
    asio::awaitable<void> body,
    std::shared_ptr<void> companion
)
    : supervised_task(std::move(name), std::move(companion), strand),
      executor_(strand),
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
        end(*scope, nullptr);
        throw;
    }
}

void coroutine_task::cancel() noexcept
{
    // One that is on its way since an earlier stop will do. acquire: the memory is free
    if (!is_being_cancelled_.exchange(true, std::memory_order_acquire))
        executor_.post(
            [self = shared_from_this()] { self->emit_cancellation(); },
            memory_
        );
}

void coroutine_task::emit_cancellation() noexcept
{
    // release: the next one finds the memory free
    is_being_cancelled_.store(false, std::memory_order_release);
    cancelled_ = true;
    // A coroutine that was destroyed halfway has left its slots as they were.
    if (ended_)
        return;
    try {
        signal_.emit(asio::cancellation_type::all);
    } catch (const std::bad_alloc&) {
        cancel();  // again and again, and others run in between
    }
}

void coroutine_task::end(
    coordinator_core& scope,
    const std::exception_ptr& exception
) noexcept
{
    if (std::exchange(ended_, true))
        return;
    body_.reset();  // one that was not entered goes before the scope is told
    scope.task_ended(shared_from_this(), exception);
}

}  // namespace sluice::detail
