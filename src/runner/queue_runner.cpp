// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/runner/queue_runner.hpp>

#include <sluice/detail/waiting/operation_failure.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/feeder.hpp>
#include <sluice/runner/detail/runner_core.hpp>
#include <sluice/runner/detail/worker_loop.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <atomic>
#include <memory>
#include <stop_token>
#include <utility>

namespace sluice {

namespace asio = boost::asio;

namespace {

// Why a worker ended.
struct worker_outcome
{
    std::exception_ptr failure;  // a code of its own, or another exception
    std::exception_ptr cut;      // the stop of others cut off its input
};

// The ordinary ends of a worker: its input has ended, its queue was closed, it was stopped. That
// another queue was closed is none: what would have gone there is lost.
worker_outcome outcome_of(
    std::exception_ptr exception,
    bool stopped,
    const detail::closable& own
) noexcept
{
    const error_code code = detail::code_of(exception, {});
    if (code == errc::end_of_queue)
        return {};
    if (stopped &&
        (code == condition::clean_stop || code == asio::error::operation_aborted))
        return {};
    if (code == errc::stop_requested)
        return {nullptr, std::move(exception)};
    if (code == errc::queue_closed) {
        // One that was made of a code does not know its queue.
        const detail::wait_hub* const where = detail::hub_of(exception);
        if (where != nullptr ? where == &own : own.is_closed())
            return {};
    }
    return {std::move(exception), nullptr};
}

}  // namespace

// Shared by the runner and its workers, so that a runner may be destroyed before they end.
class queue_runner::state final : public detail::runner_core
{
public:
    state(detail::closable_ptr queue, loops operations, queue_runner_options options)
        : runner_core(options.name.empty() ? queue->name() : options.name),
          queue_(std::move(queue)),
          operations_(std::move(operations)),
          worker_names_(std::move(options.worker_names))
    {
        if (operations_.empty())
            throw system_error(
                errc::invalid_argument,
                describe() + " has no operation; give it at least one"
            );
        for (const auto& operation : operations_)
            if (operation == nullptr)
                throw system_error(
                    errc::invalid_argument,
                    describe() + " has an empty operation"
                );
        if (!worker_names_.empty() && worker_names_.size() != operations_.size())
            throw system_error(
                errc::invalid_argument,
                describe() + " has " + std::to_string(operations_.size()) +
                    " operations and " + std::to_string(worker_names_.size()) +
                    " worker names; give each a name, or none"
            );
        until_first_run_ = feeder(queue_);  // one that is refused leaves the queue open
    }

    // The runner is being destroyed. The last worker may hold this object for a moment after it
    // has ended; the operations go now, so that nothing of them is left after a join.
    void let_go() noexcept
    {
        until_first_run_.end();
        if (running() == 0)
            operations_.clear();
        shut_down();
    }

    bool start_supervised(coordinator& scope)
    {
        if (scope.should_stop())
            refuse(errc::stop_requested);
        return start_workers([&](std::vector<worker_end>& ends) {
            // First, so that it holds for the workers of a start that fails halfway, too.
            scope.state_->close_on_stop(queue_, close_mode::cancel_pending);
            for (worker_end& each : ends)
                each.scope = scope.state_;
            try {
                for (std::size_t i = 0; i < ends.size(); ++i)
                    spawn_worker(scope, std::move(ends[i]), i);
            } catch (const system_error& error) {
                // A stop that comes now is an ordinary stop of a run that has begun; join()
                // tells why.
                if (error.code() != errc::stop_requested)
                    throw;
            }
        });
    }

    bool start_alone(const asio::any_io_executor& executor)
    {
        return start_workers([&](std::vector<worker_end>& ends) {
            for (std::size_t i = 0; i < ends.size(); ++i)
                asio::co_spawn(
                    executor,
                    lone_worker(std::move(ends[i]), i),
                    asio::detached
                );
        });
    }

    [[nodiscard]] std::size_t size() const noexcept { return operations_.size(); }

    [[nodiscard]] const detail::closable_ptr& queue() const noexcept { return queue_; }

    [[nodiscard]] std::string worker_name(std::size_t index) const
    {
        return worker_names_.empty() ? name() + "/" + std::to_string(index)
                                     : worker_names_[index];
    }

private:
    using state_ptr = boost::intrusive_ptr<state>;

    // The end of a worker, also if its coroutine is destroyed halfway, or is never made.
    class worker_end
    {
    public:
        explicit worker_end(state_ptr runner) noexcept : runner_(std::move(runner)) {}

        worker_end(worker_end&&) noexcept = default;
        worker_end& operator=(worker_end&&) = delete;

        ~worker_end()
        {
            if (!runner_)
                return;
            if (!is_over && scope && scope->should_stop())
                runner_->is_left_to_stop_ = true;
            else if (!is_over)
                cut = destroyed();
            runner_->end_worker(std::move(failure), std::move(cut));
        }

        [[nodiscard]] detail::worker_loop& loop(std::size_t index) const noexcept
        {
            return *runner_->operations_[index];
        }

        [[nodiscard]] const detail::closable& queue() const noexcept
        {
            return *runner_->queue_;
        }

        std::exception_ptr failure;
        std::exception_ptr cut;
        boost::intrusive_ptr<detail::coordinator_state> scope;  // null: there is none
        bool is_over = false;  // or it was never begun, or destroyed halfway

    private:
        static std::exception_ptr destroyed() noexcept
        {
            try {
                throw system_error(
                    asio::error::operation_aborted,
                    "a worker of a runner was destroyed before its end"
                );
            } catch (...) {
                return std::current_exception();
            }
        }

        state_ptr runner_;
    };

    [[noreturn]] void refuse(errc why) const
    {
        throw system_error(why, describe() + " was not started on " + queue_->describe());
    }

    // Begins a run and starts its workers; false if the last run is going on. The start counts
    // as a worker, too: one that fails halfway is a failure of the run, in which the workers
    // that there are go on.
    template <class Start>
    bool start_workers(Start start)
    {
        std::vector<worker_end> ends;
        ends.reserve(operations_.size());
        // Closed by its own last run, perhaps, if no other runner feeds it.
        if (running() == 0 && queue_->is_closed())
            refuse(errc::queue_closed);
        if (!begin(operations_.size() + 1))
            return false;
        queue_->add_feeder();
        until_first_run_.end();
        worker_end own(state_ptr(this));
        while (ends.size() < operations_.size())
            ends.emplace_back(state_ptr(this));
        for (const auto& operation : operations_)
            operation->begin(detail::run_start());
        try {
            start(ends);
        } catch (...) {
            own.failure = std::current_exception();
            throw;
        }
        own.is_over = true;
        return true;
    }

    // The end is the companion of the task, not of its coroutine: a failure has to stop the
    // scope before the queue is closed, or consumers would take that for an ordinary end.
    void spawn_worker(coordinator& scope, worker_end&& end, std::size_t index)
    {
        auto shared = std::make_shared<worker_end>(std::move(end));
        auto body = supervised_worker(shared, index, scope.get_stop_token());
        scope.state_->spawn(worker_name(index), std::move(body), std::move(shared));
    }

    // With a coordinator a failure is the coordinator's to report.
    static asio::awaitable<void> supervised_worker(
        std::shared_ptr<worker_end> end,
        std::size_t index,
        std::stop_token stop
    )
    {
        // A parameter would die with the frame, after the scope has been told.
        const auto ending = std::move(end);
        worker_outcome why = co_await repeat(*ending, index, stop);
        ending->is_over = true;
        ending->cut = std::move(why.cut);
        if (!why.failure)
            co_return;
        // Of a task the scope takes it for an ordinary end.
        if (detail::code_of(why.failure, {}) == errc::queue_closed)
            ending->scope->fail(why.failure);
        std::rethrow_exception(why.failure);
    }

    // Without one it is kept, and becomes the worker_outcome why the queue was closed.
    static asio::awaitable<void> lone_worker(worker_end end, std::size_t index)
    {
        worker_end ending(std::move(end));
        worker_outcome why = co_await repeat(ending, index, std::stop_token());
        ending.is_over = true;
        ending.failure = std::move(why.failure);
        ending.cut = std::move(why.cut);
    }

    // Repeats an operation until it ends; empty if that was a quiet end.
    static asio::awaitable<worker_outcome> repeat(
        const worker_end& worker,
        std::size_t index,
        std::stop_token stop
    )
    {
        std::exception_ptr ended_with;
        try {
            co_await worker.loop(index).run(stop);
        } catch (...) {
            ended_with = std::current_exception();
        }
        if (!ended_with)
            co_return worker_outcome{};
        co_return outcome_of(
            std::move(ended_with),
            stop.stop_requested(),
            worker.queue()
        );
    }

    void end_worker(std::exception_ptr failure, std::exception_ptr cut) noexcept
    {
        const auto end = worker_ended(std::move(failure), std::move(cut));
        if (!end.last)
            return;
        // The stop is about to close the queue: before it this would be the end of the input.
        const bool is_left_to_stop = is_left_to_stop_.exchange(false);
        if (is_left_to_stop && !end.cause)
            queue_->leave_feeders();
        else
            queue_->remove_feeder(end.cause);
        end_run();
    }

    const detail::closable_ptr queue_;
    feeder until_first_run_;  // then each run is one
    loops operations_;
    const std::vector<std::string> worker_names_;
    std::atomic<bool> is_left_to_stop_ = false;  // by a worker of this run
};

queue_runner::queue_runner(
    detail::closable_ptr queue,
    executor_type executor,
    loops operations,
    queue_runner_options options
)
    : executor_(std::move(executor)),
      state_(new state(std::move(queue), std::move(operations), std::move(options)))
{
}

queue_runner::~queue_runner()
{
    state_->let_go();
}

bool queue_runner::start(coordinator& scope)
{
    return state_->start_supervised(scope);
}

bool queue_runner::start(const asio::any_io_executor& executor)
{
    return state_->start_alone(executor);
}

const std::string& queue_runner::name() const noexcept
{
    return state_->name();
}

std::size_t queue_runner::size() const noexcept
{
    return state_->size();
}

bool queue_runner::is_running() const
{
    return state_->running() > 0;
}

std::vector<std::exception_ptr> queue_runner::exceptions_raised() const
{
    return state_->exceptions();
}

detail::runner_core* queue_runner::core() const noexcept
{
    return state_.get();
}

const detail::closable_ptr& queue_runner::queue() const noexcept
{
    return state_->queue();
}

std::string queue_runner::worker_name(std::size_t index) const
{
    return state_->worker_name(index);
}

}  // namespace sluice
