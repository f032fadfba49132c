// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/coordinator.hpp>
#include <sluice/queue/basic_queue.hpp>
#include <sluice/queue_end.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace sluice {

/// A queue and the queue_runner that feeds it, as one object.
/**
 * Most stages of a program are a queue and a runner, made together. This class is what all
 * producers share; programs name one of those that derive from it.
 *
 * @par Closing          the last worker to end closes the queue, as for a queue_runner. The
 *                       destructor closes it with close_mode::cancel_pending.
 * @par Object lifetime  the producer may be destroyed while its workers run. They end when
 *                       they next use the queue, which lives as long as they do. What a
 *                       function of the program refers to is up to its author.
 * @par Thread safety    distinct objects: safe. Shared objects: safe, but for the destructor.
 *
 * @tparam Queue  the queue that it feeds, a basic_queue.
 */
template <class Queue>
class basic_producer
{
public:
    /// The type of the queue.
    using queue_type = Queue;

    /// The type of the elements.
    using value_type = typename Queue::value_type;

    /// The type of the executor for completions that have none of their own.
    using executor_type = typename Queue::executor_type;

    basic_producer(const basic_producer&) = delete;
    basic_producer& operator=(const basic_producer&) = delete;

    /// Where completions run that have no executor of their own: the executor of the queue.
    [[nodiscard]] const executor_type& get_executor() const noexcept
    {
        return queue_->get_executor();
    }

    /// The name of the queue, which is also that of the runner.
    [[nodiscard]] const std::string& name() const noexcept { return queue_->name(); }

    /// The queue. It must not be moved from.
    [[nodiscard]] Queue& queue() const noexcept { return *queue_; }

    /// The runner, for instance for add_queue_runner().
    [[nodiscard]] const std::shared_ptr<queue_runner>& runner() const noexcept
    {
        return runner_;
    }

    /// Starts the workers, as queue_runner::start() does: as tasks of a coordinator, or
    /// on an executor or on what has one.
    template <class Scope>
        requires requires(queue_runner& runner, Scope&& scope) { runner.start(scope); }
    bool start(Scope&& scope)
    {
        return runner_->start(scope);
    }

    /// Takes one element, or nothing at the end: the operation next() of the queue.
    auto next() { return queue_->next(); }

    /// Waits until the workers have ended: the operation join() of the runner.
    auto join() { return runner_->join(); }

protected:
    /// Makes the queue, then the runner.
    /**
     * @param home             the executor of the queue, or a context that has one.
     * @param options          those of the queue.
     * @param make_operations  called with the `std::shared_ptr<Queue>`; gives a
     *                         `std::vector<queue_runner::operation>`. Each operation keeps
     *                         that pointer, and refers to no member of the producer.
     * @param runner_options   those of the runner.
     * @throws system_error    errc::invalid_argument as the constructors of both.
     * @par Exception safety   strong.
     */
    template <class Home, std::invocable<std::shared_ptr<Queue>> MakeOperations>
    basic_producer(
        Home&& home,
        typename Queue::options_type options,
        MakeOperations&& make_operations,
        queue_runner_options runner_options = {}
    )
        : queue_(std::make_shared<Queue>(std::forward<Home>(home), std::move(options))),
          runner_(std::make_shared<queue_runner>(
              *queue_,
              std::invoke(std::forward<MakeOperations>(make_operations), queue_),
              std::move(runner_options)
          ))
    {
    }

    /// Closes the queue with close_mode::cancel_pending and lets go of the workers.
    ~basic_producer() { queue_->close(close_mode::cancel_pending); }

private:
    const std::shared_ptr<Queue> queue_;  // the operations keep it, too
    const std::shared_ptr<queue_runner> runner_;
};

}  // namespace sluice
