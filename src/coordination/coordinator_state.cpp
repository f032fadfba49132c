// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/detail/coordinator_state.hpp>

#include <sluice/detail/awaiting/supervised_executor.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>

#include <atomic>
#include <csignal>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace sluice::detail {

namespace asio = boost::asio;

namespace {

// Posts below all strands: an io_context takes no memory for that (C6), a strand does. False:
// an executor of another kind has refused.
template <class Executor, class Function>
bool post_without_memory(
    const Executor& executor,
    Function&& function,
    post_memory& memory
) noexcept
{
    try {
        detail::post(without_strand(executor), std::forward<Function>(function), memory);
        return true;
    } catch (...) {
        return false;
    }
}

bool is_ignored(int signal) noexcept
{
    struct sigaction now{};
    return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

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
        // One that is on its way since an earlier stop will do. acquire: the memory is free
        if (!is_being_cancelled_.exchange(true, std::memory_order_acquire))
            post_cancellation();
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

    // A strand that finds no memory is asked again. A task that cannot be reached at all stays
    // as it is: a straggler.
    void post_cancellation() noexcept
    {
        const bool is_posted = post_without_memory(
            executor_,
            [self = shared_from_this()] {
                try {
                    asio::dispatch(self->executor_, [self] {
                        self->emit_cancellation();
                    });
                } catch (const std::bad_alloc&) {
                    self->post_cancellation();
                }
            },
            memory_
        );
        if (!is_posted)
            is_being_cancelled_.store(false, std::memory_order_release);  // as below
    }

    void emit_cancellation()
    {
        // release: the next one finds the memory free
        is_being_cancelled_.store(false, std::memory_order_release);
        cancelled_ = true;
        // A coroutine that was destroyed halfway has left its slots as they were.
        if (ended_)
            return;
        try {
            signal_.emit(asio::cancellation_type::all);
            // On an executor that runs nothing inline Asio posts what refers to the signal;
            // the task, and the signal in it, stay until that has run.
            asio::post(executor_, [self = shared_from_this()] {});
        } catch (const std::bad_alloc&) {
            cancel();
        }
    }

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
    std::atomic<bool> is_being_cancelled_{false};
    post_memory memory_;  // of a cancellation on its way
};

coordinator_state::coordinator_state(
    executor_type executor,
    coordinator_options options,
    core_ptr parent
)
    : coordinator_core(std::move(options), std::move(parent)),
      executor_(std::move(executor))
{
    // Makes the service of its timers, which takes descriptors that a stop might not find.
    const asio::steady_timer first(executor_);
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
    const auto due = next_due();
    if (!due)
        timer_.reset();
    else if (!timer_is_posted_ && !(timer_ && timer_->expiry() == *due))
        post_timer();
}

// Where a timer that finds no memory can be tried again. Without one joins have no end of their
// grace period.
void coordinator_state::post_timer() noexcept
{
    timer_is_posted_ = post_without_memory(
        executor_,
        [self = boost::intrusive_ptr(this)] { self->set_timer(); },
        timer_memory_
    );
}

void coordinator_state::set_timer()
{
    const std::lock_guard lock(event_mutex_);
    timer_is_posted_ = false;
    const auto due = next_due();
    if (!due)
        return;
    try {
        if (!timer_)
            timer_.emplace(executor_);
        timer_->expires_at(*due);
        timer_->async_wait([self = boost::intrusive_ptr(this)](const error_code& error) {
            if (!error)
                self->time_passed(clock::now());
        });
    } catch (const std::bad_alloc&) {
        timer_.reset();
        post_timer();
    }
}

void coordinator_state::request_stop_on_signal(std::initializer_list<int> signals)
{
    const std::lock_guard lock(event_mutex_);
    std::vector<int> heeded(signals);
    std::erase_if(heeded, is_ignored);
    if (should_stop() || heeded.empty())
        return;  // there is nothing to wait for
    const bool first = !signals_;
    if (first)
        signals_.emplace(executor_);
    try {
        for (const int signal : heeded)
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
                self->request_stop(nullptr, closer::signal);
        });
}

void coordinator_state::home_destroyed() noexcept
{
    const std::lock_guard lock(event_mutex_);
    timer_.reset();
    signals_.reset();
}

}  // namespace sluice::detail
