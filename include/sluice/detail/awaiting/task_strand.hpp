// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/budget.hpp>
#include <sluice/detail/waiting/task_step.hpp>
#include <sluice/detail/waiting/wait_log.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <utility>

namespace sluice::detail {

// Where the steps of one supervised task run, one at a time: cancellation may only be emitted
// where the operations of its slot run. It is also the task's log, because that asks for a thread
// under the lock under which it notes that the task is ready.
//
// A strand of Asio would take memory for each step and again to be scheduled, and cannot say that
// it has none. Here a step brings its own, and that of the one function that is given to the
// executor below is part of the strand. So what wakes a task neither allocates nor fails, if the
// executor below is that of an io_context or of a thread_pool, a strand on one, or another task.
//
// Any other executor may refuse the function. Then, as when a context dies, all steps are dropped:
// the task ends where it is, and what its operations were given is returned.
class task_strand : public wait_log
{
public:
    // On the executor of a context, on a strand, or on another task.
    [[nodiscard]] static boost::intrusive_ptr<task_strand> make(
        const boost::asio::any_io_executor& below
    );

    [[nodiscard]] virtual boost::asio::execution_context& context() const noexcept = 0;

    // The executor below all strands.
    [[nodiscard]] virtual boost::asio::any_io_executor without_strand() const = 0;

    // Never runs inside of this call. Afterwards *this may be gone.
    void post(task_step& step)
    {
        if (push(step))
            ask_for_thread(how_to_run::later);
    }

    // May run inside of this call, if the executor below allows that.
    void dispatch(task_step& step)
    {
        if (push(step))
            ask_for_thread(how_to_run::now_if_allowed);
    }

    // Whether this is called by one of the steps.
    [[nodiscard]] bool runs_here() const noexcept;

    // Executors that keep the context busy, counted.
    virtual void begin_work() = 0;
    virtual void repeat_work() noexcept = 0;  // one more, while there is one
    virtual void end_work() noexcept = 0;

protected:
    enum class how_to_run : bool
    {
        later,
        now_if_allowed
    };

    // What the executor below is given: calls run(), or drops the steps if it is not called.
    class thread_request
    {
    public:
        explicit thread_request(task_strand& strand) noexcept : strand_(&strand) {}

        thread_request(thread_request&& other) noexcept = default;
        thread_request& operator=(thread_request&&) = delete;

        ~thread_request()
        {
            if (strand_)
                strand_->drop_steps();
        }

        void operator()() { std::exchange(strand_, nullptr)->run(); }

    private:
        boost::intrusive_ptr<task_strand> strand_;
    };

private:
    // A run, on the stack of its thread.
    class running;

    virtual void ask_for_thread(how_to_run how) = 0;

    void run();
    void drop_steps() noexcept;

    static inline thread_local constinit const running* innermost_ = nullptr;
};

class task_strand::running
{
public:
    explicit running(task_strand& of) noexcept;
    running(const running&) = delete;
    running& operator=(const running&) = delete;
    ~running();

    task_strand* const strand;
    const running* const outer;
    task_step& step;
};

SLUICE_NOT_INTO_COROUTINES inline bool task_strand::runs_here() const noexcept
{
    const running* it = innermost_;
    while (it != nullptr && it->strand != this)
        it = it->outer;
    return it != nullptr;
}

}  // namespace sluice::detail
