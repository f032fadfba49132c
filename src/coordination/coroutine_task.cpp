// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/detail/coroutine_task.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>

#include <exception>
#include <new>
#include <utility>

namespace sluice::detail {

namespace asio = boost::asio;

// Tells the scope that the task has ended, also if its coroutine is destroyed halfway because the
// context dies: a join elsewhere must not wait for it. It is called on the executor of the task,
// whose type is known, so that Asio takes no memory for that.
class coroutine_task::end_of_task
{
public:
    using executor_type = supervised_executor;

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
            task_->drop(*scope_);
    }

    [[nodiscard]] executor_type get_executor() const noexcept { return task_->executor_; }

    void operator()(const std::exception_ptr& exception) noexcept
    {
        const auto scope = std::move(scope_);
        task_->end(*scope, exception);
    }

private:
    std::shared_ptr<coroutine_task> task_;
    boost::intrusive_ptr<coordinator_core> scope_;
};

// On its way to the task. If the executor refuses it, the next stop tries again.
class coroutine_task::cancellation
{
public:
    explicit cancellation(std::shared_ptr<coroutine_task> task) noexcept
        : task_(std::move(task))
    {
    }

    cancellation(cancellation&&) noexcept = default;

    ~cancellation()
    {
        if (task_)
            task_->arrive();
    }

    void operator()()
    {
        const auto task = std::move(task_);
        task->arrive();
        task->emit_cancellation();
    }

private:
    std::shared_ptr<coroutine_task> task_;
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
             ending = end_of_task(shared_from_this(), scope),
             scope]() mutable {
                if (!self->cancelled_)
                    self->enter(*scope, std::move(ending));
                // else the body is not entered; `ending` tells the scope
            }
        );
    } catch (...) {
        // perhaps it was accepted, and is dropped when the context dies
        end(*scope, nullptr);
        throw;
    }
}

// What Asio cannot do for want of memory is an error of the task. It drops the handler before it
// says so, which is only noted here, or posts the end of the coroutine and drops it there.
void coroutine_task::enter(coordinator_core& scope, end_of_task ending)
{
    is_entering_ = true;
    try {
        asio::co_spawn(
            asio::any_io_executor(executor_),
            std::move(*body_),
            asio::bind_cancellation_slot(signal_.slot(), std::move(ending))
        );
    } catch (...) {
        failure_ = std::current_exception();
    }
    is_entering_ = false;
    if (was_dropped_)
        end(scope, failure_);
}

void coroutine_task::drop(coordinator_core& scope) noexcept
{
    if (is_entering_)
        was_dropped_ = true;
    else
        end(scope, failure_);
}

void coroutine_task::cancel() noexcept
{
    // One that is on its way since an earlier stop will do. acquire: the memory is free
    if (!is_being_cancelled_.exchange(true, std::memory_order_acquire))
        executor_.post(cancellation(shared_from_this()), memory_);
}

void coroutine_task::arrive() noexcept
{
    // release: the next one finds the memory free
    is_being_cancelled_.store(false, std::memory_order_release);
}

void coroutine_task::emit_cancellation() noexcept
{
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
