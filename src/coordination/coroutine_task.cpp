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
        if (task_->end())
            scope->task_ended(task_, exception);
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
            (void)task_->arrive();
    }

    void operator()()
    {
        const auto task = std::move(task_);
        task->emit(task->arrive());
    }

private:
    std::shared_ptr<coroutine_task> task_;
};

coroutine_task::coroutine_task(
    record_ptr record,
    const task_options& options,
    asio::awaitable<void> body,
    std::shared_ptr<void> companion
)
    : supervised_task(
          std::move(record),
          std::move(companion),
          task_strand::make(options.executor)
      ),
      executor_(static_cast<task_strand*>(&log())),
      on_stop_(options.on_stop),
      body_(std::move(body))
{
}

void coroutine_task::launch(const boost::intrusive_ptr<coordinator_core>& scope)
{
    try {
        executor_.launch([self = shared_from_this(),
                          ending = end_of_task(shared_from_this(), scope),
                          scope]() mutable {
            if (!self->cancelled_)
                self->enter(*scope, std::move(ending));
            // else the body is not entered; `ending` tells the scope
        });
    } catch (...) {
        // Perhaps it was accepted, and is dropped when the context dies.
        if (end())
            scope->task_dropped(shared_from_this(), std::current_exception());
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
        end_unfinished(scope);
}

void coroutine_task::drop(coordinator_core& scope) noexcept
{
    if (is_entering_)
        was_dropped_ = true;
    else
        end_unfinished(scope);
}

void coroutine_task::end_unfinished(coordinator_core& scope) noexcept
{
    if (!end())
        return;
    if (failure_)
        scope.task_ended(shared_from_this(), failure_);
    else
        scope.task_dropped(shared_from_this());
}

void coroutine_task::cancel(asio::cancellation_type type) noexcept
{
    const auto bits = static_cast<type_bits>(type);
    // One that is on its way takes this type along. acquire: the memory is free
    if (bits != 0 && to_emit_.fetch_or(bits, std::memory_order_acquire) == 0)
        executor_.post(cancellation(shared_from_this()), memory_);
}

asio::cancellation_type coroutine_task::arrive() noexcept
{
    // release: the next one finds the memory free
    return static_cast<asio::cancellation_type>(
        to_emit_.exchange(0, std::memory_order_release)
    );
}

void coroutine_task::emit(asio::cancellation_type type) noexcept
{
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
