// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/detail/coordinator_state.hpp>

#include <sluice/coordination/detail/coroutine_task.hpp>
#include <sluice/detail/awaiting/supervised_executor.hpp>

#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <csignal>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace sluice::detail {

namespace asio = boost::asio;

namespace {

bool is_ignored(int signal) noexcept
{
    struct sigaction now{};
    return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

class coordinator_state::timer : public asio::steady_timer
{
public:
    using asio::steady_timer::steady_timer;
};

class coordinator_state::signals : public asio::signal_set
{
public:
    using asio::signal_set::signal_set;
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
    const timer first(executor_);
}

coordinator_state::~coordinator_state() = default;

void coordinator_state::spawn(
    std::string name,
    asio::awaitable<void> body,
    std::shared_ptr<void> companion
)
{
    spawn(
        std::make_shared<task_record>(std::move(name)),
        {.executor = executor_},
        std::move(body),
        std::move(companion)
    );
}

void coordinator_state::spawn(
    record_ptr record,
    const task_options& options,
    asio::awaitable<void> body,
    std::shared_ptr<void> companion
)
{
    auto task = std::make_shared<coroutine_task>(
        std::move(record),
        options,
        std::move(body),
        std::move(companion)
    );
    add_task(task);
    task->launch(this);
}

void coordinator_state::spawn_body(asio::awaitable<void> body)
{
    const auto task = std::make_shared<coroutine_task>(
        std::make_shared<task_record>("body"),
        task_options{.executor = executor_},
        std::move(body),
        nullptr
    );
    task->set_body();
    add_task(task);
    task->launch(this);
}

void coordinator_state::cancel(
    const task_record& record,
    asio::cancellation_type type
) noexcept
{
    if (type == asio::cancellation_type::none)
        return;
    // All tasks of this scope are of this class.
    if (const task_ptr task = begin_cancellation(record))
        static_cast<coroutine_task&>(*task).cancel(type);
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
// grace period. Below all strands: an io_context takes no memory for that (C6), a strand does.
void coordinator_state::post_timer() noexcept
{
    try {
        const auto below = without_strand(executor_);
        intrusive_ptr_add_ref(this);  // until it is called or dropped
        detail::post(below, posted_call(this), timer_memory_);
        timer_is_posted_ = true;
    } catch (...) {
        timer_is_posted_ = false;  // an executor of another kind has refused
    }
}

void coordinator_state::run_posted()
{
    const boost::intrusive_ptr self(this, false);
    set_timer();
}

void coordinator_state::drop_posted() noexcept
{
    intrusive_ptr_release(this);
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
            timer_ = std::make_unique<timer>(executor_);
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

void coordinator_state::request_stop_on_signal(std::initializer_list<int> numbers)
{
    const std::lock_guard lock(event_mutex_);
    std::vector<int> heeded(numbers);
    std::erase_if(heeded, is_ignored);
    if (should_stop() || heeded.empty())
        return;  // there is nothing to wait for
    const bool first = !signals_;
    if (first)
        signals_ = std::make_unique<signals>(executor_);
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
