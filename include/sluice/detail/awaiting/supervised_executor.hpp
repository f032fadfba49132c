// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/post.hpp>
#include <sluice/detail/waiting/wait_log.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/require.hpp>
#include <boost/asio/strand.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// A function that an executor runs for a supervised task. It tells the log of the task when it is
// given to the executor, when it begins, and when it has returned.
template <class Function>
class task_step
{
public:
    template <class Given>
    task_step(std::shared_ptr<wait_log> log, Given&& function)
        : log_(std::move(log)), function_(std::forward<Given>(function))
    {
        log_->post();
    }

    task_step(task_step&&) noexcept = default;
    task_step& operator=(task_step&&) = delete;

    ~task_step()
    {
        if (log_)
            log_->drop();
    }

    void operator()()
    {
        const running_scope running(std::exchange(log_, nullptr));
        function_();
    }

private:
    class running_scope
    {
    public:
        explicit running_scope(std::shared_ptr<wait_log> log) noexcept
            : log_(std::move(log))
        {
            log_->resume();
        }

        running_scope(const running_scope&) = delete;
        running_scope& operator=(const running_scope&) = delete;
        ~running_scope() { log_->suspend(); }

    private:
        const std::shared_ptr<wait_log> log_;  // of a task that may end in the function
    };

    std::shared_ptr<wait_log> log_;  // null once it was moved from or called
    Function function_;
};

// The executor of a supervised task: a strand, because cancellation may only be emitted
// where the operations of its slot run, which also says to which task it belongs.
class supervised_executor
{
public:
    using strand_type = boost::asio::strand<boost::asio::any_io_executor>;

    supervised_executor(strand_type strand, std::shared_ptr<wait_log> log) noexcept
        : strand_(std::move(strand)), log_(std::move(log))
    {
    }

    [[nodiscard]] const strand_type& strand() const noexcept { return strand_; }

    [[nodiscard]] const std::shared_ptr<wait_log>& log() const noexcept { return log_; }

    template <class Property>
        requires boost::asio::can_query_v<const strand_type&, Property>
    decltype(auto) query(const Property& property) const
    {
        return boost::asio::query(strand_, property);
    }

    template <class Property>
        requires boost::asio::can_require_v<const strand_type&, Property>
    supervised_executor require(const Property& property) const
    {
        return {boost::asio::require(strand_, property), log_};
    }

    template <class Property>
        requires boost::asio::can_prefer_v<const strand_type&, Property> &&
                 (!boost::asio::can_require_v<const strand_type&, Property>)
    supervised_executor prefer(const Property& property) const
    {
        return {boost::asio::prefer(strand_, property), log_};
    }

    template <class Function>
    void execute(Function&& function) const
    {
        strand_.execute(
            task_step<std::decay_t<Function>>(log_, std::forward<Function>(function))
        );
    }

    friend bool operator==(const supervised_executor&, const supervised_executor&) =
        default;

private:
    strand_type strand_;
    std::shared_ptr<wait_log> log_;
};

// The strand for a task that is to run on the executor: that very one if it is such a strand, or
// the executor of a task; otherwise a new one over it. Over a strand of another type that is as
// good, but for the way through both: what runs on either runs on the one below.
supervised_executor::strand_type strand_on(const boost::asio::any_io_executor& executor);

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

}  // namespace sluice::detail
