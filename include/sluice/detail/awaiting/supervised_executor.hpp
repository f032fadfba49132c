// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/post.hpp>
#include <sluice/detail/awaiting/task_strand.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/recycling_allocator.hpp>
#include <boost/asio/strand.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <type_traits>
#include <utility>

namespace sluice::detail {

// The executor of a supervised task, on its strand. One type whatever is below and whatever has
// been required of it, so that an any_io_executor can be asked for it, which has room for it, too.
class supervised_executor
{
    using blocking_t = boost::asio::execution::blocking_t;
    using work_t = boost::asio::execution::outstanding_work_t;

public:
    explicit supervised_executor(boost::intrusive_ptr<task_strand> strand) noexcept
        : strand_(std::move(strand))
    {
    }

    supervised_executor(const supervised_executor& other) noexcept
        : strand_(other.strand_),
          never_blocks_(other.never_blocks_),
          is_work_(other.is_work_)
    {
        if (is_work_)
            strand_->repeat_work();
    }

    supervised_executor(supervised_executor&& other) noexcept
        : strand_(std::move(other.strand_)),
          never_blocks_(other.never_blocks_),
          is_work_(std::exchange(other.is_work_, false))
    {
    }

    supervised_executor& operator=(supervised_executor other) noexcept
    {
        strand_.swap(other.strand_);
        std::swap(never_blocks_, other.never_blocks_);
        std::swap(is_work_, other.is_work_);
        return *this;
    }

    ~supervised_executor()
    {
        if (is_work_)
            strand_->end_work();
    }

    [[nodiscard]] const boost::intrusive_ptr<task_strand>& strand() const noexcept
    {
        return strand_;
    }

    [[nodiscard]] wait_log& log() const noexcept { return *strand_; }

    // Properties ---------------------------------------------------------------------------

    [[nodiscard]] boost::asio::execution_context& query(
        boost::asio::execution::context_t /*what*/
    ) const noexcept
    {
        return strand_->context();
    }

    [[nodiscard]] blocking_t query(blocking_t /*what*/) const noexcept
    {
        return never_blocks_ ? blocking_t(blocking_t::never)
                             : blocking_t(blocking_t::possibly);
    }

    [[nodiscard]] work_t query(work_t /*what*/) const noexcept
    {
        return is_work_ ? work_t(work_t::tracked) : work_t(work_t::untracked);
    }

    [[nodiscard]] supervised_executor require(blocking_t::never_t /*how*/) const noexcept
    {
        supervised_executor result = *this;
        result.never_blocks_ = true;
        return result;
    }

    [[nodiscard]] supervised_executor require(blocking_t::possibly_t /*how*/
    ) const noexcept
    {
        supervised_executor result = *this;
        result.never_blocks_ = false;
        return result;
    }

    [[nodiscard]] supervised_executor require(work_t::tracked_t /*how*/) const
    {
        supervised_executor result = *this;
        if (!is_work_) {
            strand_->begin_work();
            result.is_work_ = true;
        }
        return result;
    }

    [[nodiscard]] supervised_executor require(work_t::untracked_t /*how*/) const noexcept
    {
        supervised_executor result(strand_);
        result.never_blocks_ = never_blocks_;
        return result;
    }

    // Functions ----------------------------------------------------------------------------

    // Most of what Asio gives to an executor a thread can recycle.
    template <class Function, class Allocator = boost::asio::recycling_allocator<void>>
    void execute(Function&& function, const Allocator& allocator = {}) const
    {
        if (!never_blocks_ && strand_->runs_here()) {
            std::decay_t<Function> own(std::forward<Function>(function));
            own();
            return;
        }
        task_step& step = make_step(std::forward<Function>(function), allocator);
        if (never_blocks_)
            post(step);
        else
            strand_->dispatch(step);
    }

    // As a post, but throws if the executor below refuses; then the function has been dropped.
    template <class Function>
    void launch(Function&& function) const
    {
        const boost::asio::recycling_allocator<void> allocator;
        strand_->post(make_step(std::forward<Function>(function), allocator));
    }

    // Never runs it inside of this call (P6). The function fits into the memory.
    template <class Function>
    void post(Function&& function, post_memory& memory) const noexcept
    {
        using allocator = post_allocator<void>;
        static_assert(sizeof(step_of<Function, allocator>) <= post_memory::size);
        post(make_step(std::forward<Function>(function), allocator(memory)));
    }

    friend bool operator==(
        const supervised_executor& a,
        const supervised_executor& b
    ) noexcept
    {
        return a.strand_ == b.strand_;
    }

private:
    // Asio posts the unwinding of a coroutine that is dropped from a destructor, where a second
    // refusal must not be thrown.
    void post(task_step& step) const noexcept
    {
        try {
            strand_->post(step);
        } catch (...) {
            // the executor below has refused it, and it has been dropped
        }
    }

    boost::intrusive_ptr<task_strand> strand_;  // null once it was moved from
    bool never_blocks_ = false;
    bool is_work_ = false;  // counted by the strand
};

// The executor below all strands, where a function runs although a strand is occupied.
template <class Executor>
boost::asio::any_io_executor without_strand(const Executor& executor)
{
    return executor;
}

boost::asio::any_io_executor without_strand(const supervised_executor& executor);

// Strands of other executors are not recognised; then the strand itself will do.
boost::asio::any_io_executor without_strand(const boost::asio::any_io_executor& executor);

template <class Inner>
boost::asio::any_io_executor without_strand(const boost::asio::strand<Inner>& executor)
{
    return without_strand(executor.get_inner_executor());
}

}  // namespace sluice::detail
