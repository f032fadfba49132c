// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/detail/coordinator_state.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace sluice::detail {

namespace asio = boost::asio;

// A coroutine under supervision, on a strand of its own.
class coordinator_state::coroutine_task final
    : public supervised_task,
      public std::enable_shared_from_this<coroutine_task>
{
public:
    coroutine_task(
        std::string name,
        const executor_type& executor,
        asio::awaitable<void> body,
        std::shared_ptr<void> companion
    )
        : supervised_task(std::move(name), std::move(companion)),
          executor_(asio::make_strand(executor), log()),
          body_(std::move(body))
    {
    }

    // The launch is posted, so that it and a cancellation follow each other on the strand.
    void launch(const boost::intrusive_ptr<coordinator_state>& scope)
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
                        asio::bind_cancellation_slot(
                            self->signal_.slot(),
                            std::move(ending)
                        )
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

    void cancel() noexcept override
    {
        asio::post(executor_, [self = shared_from_this()] {
            self->cancelled_ = true;
            // A coroutine that was destroyed halfway has left its slots as they were.
            if (self->ended_)
                return;
            self->signal_.emit(asio::cancellation_type::all);
            // On an executor that runs nothing inline Asio posts what refers to the signal;
            // the task, and the signal in it, stay until that has run.
            asio::post(self->executor_, [self] {});
        });
    }

private:
    // Tells the scope that the task has ended, also if its coroutine is destroyed halfway
    // because the context dies: a join elsewhere must not wait for it.
    class end_of_task
    {
    public:
        end_of_task(
            std::shared_ptr<coroutine_task> task,
            boost::intrusive_ptr<coordinator_state> scope
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
        boost::intrusive_ptr<coordinator_state> scope_;
    };

    void end(coordinator_state& scope, const std::exception_ptr& exception) noexcept
    {
        if (std::exchange(ended_, true))
            return;
        body_.reset();  // one that was not entered goes before the scope is told
        scope.task_ended(shared_from_this(), exception);
    }

    const supervised_executor executor_;
    std::optional<asio::awaitable<void>> body_;  // used on executor_ only
    asio::cancellation_signal signal_;           // used on executor_ only
    bool cancelled_ = false;                     // used on executor_ only
    bool ended_ = false;                         // used on executor_ only
};

coordinator_state::coordinator_state(
    executor_type executor,
    coordinator_options options,
    core_ptr parent
)
    : coordinator_core(std::move(options), std::move(parent)),
      executor_(std::move(executor))
{
}

void coordinator_state::spawn(
    std::string name,
    asio::awaitable<void> body,
    std::shared_ptr<void> companion
)
{
    auto task = std::make_shared<coroutine_task>(
        std::move(name),
        executor_,
        std::move(body),
        std::move(companion)
    );
    add_task(task);
    task->launch(this);
}

void coordinator_state::changed() noexcept
{
    const std::lock_guard lock(event_mutex_);
    if (should_stop())
        signals_.reset();
    if (const auto due = next_due())
        set_grace_timer(*due);
    else
        grace_timer_.reset();
}

void coordinator_state::set_grace_timer(clock::time_point due)
{
    if (!grace_timer_)
        grace_timer_.emplace(executor_);
    grace_timer_->expires_at(due);
    grace_timer_->async_wait([self = boost::intrusive_ptr(this)](const error_code& error
                             ) {
        if (error)
            return;
        self->expire_joins(clock::now());
        self->changed();
    });
}

void coordinator_state::request_stop_on_signal(std::initializer_list<int> signals)
{
    const std::lock_guard lock(event_mutex_);
    if (should_stop())
        return;  // there is nothing left to wait for
    const bool first = !signals_;
    if (first)
        signals_.emplace(executor_);
    try {
        for (const int signal : signals)
            signals_->add(signal);
    } catch (...) {
        if (first)
            signals_.reset();
        throw;
    }
    if (first)
        signals_->async_wait([self = boost::intrusive_ptr(this
                              )](const error_code& error, int /*signal*/) {
            if (!error)
                self->request_stop(nullptr);
        });
}

void coordinator_state::home_destroyed() noexcept
{
    const std::lock_guard lock(event_mutex_);
    grace_timer_.reset();
    signals_.reset();
}

}  // namespace sluice::detail
