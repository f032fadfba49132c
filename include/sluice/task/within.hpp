// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/supervised_executor.hpp>
#include <sluice/detail/waiting/code_of.hpp>
#include <sluice/detail/waiting/time_limit.hpp>
#include <sluice/error.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace sluice {
namespace detail {

// Work that has a time limit. The work, the timer and every cancellation run on `home_`, one at a
// time, because a signal may not be emitted while the operations of its slot run. The work has
// ended when its caller goes on; of the timer a handler that does nothing may be left by then, and
// it shares the ownership of *this.
class limited_work : public std::enable_shared_from_this<limited_work>
{
public:
    explicit limited_work(const boost::asio::any_io_executor& executor)
        : home_(serialised(executor)), timer_(home_)
    {
    }

    // `done` is called on `home_`, with the exception that the caller gets.
    template <class Done>
    void start(const time_limit& limit, boost::asio::awaitable<void> work, Done done)
    {
        boost::asio::dispatch(
            home_,
            [self = shared_from_this(),
             limit,
             work = std::move(work),
             done = std::move(done)]() mutable {
                auto& mine = *self;
                boost::asio::co_spawn(
                    mine.home_,
                    std::move(work),
                    boost::asio::bind_cancellation_slot(
                        mine.signal_.slot(),
                        [self, done = std::move(done)](const std::exception_ptr& error
                        ) mutable {
                            self->end();
                            done(error ? self->failure(error) : nullptr);
                        }
                    )
                );
                mine.arm(limit);
            }
        );
    }

    // From any thread. Behind start(), so that it finds the work.
    void cancel(boost::asio::cancellation_type type)
    {
        boost::asio::dispatch(home_, [self = shared_from_this(), type] {
            self->signal_.emit(type);
        });
    }

    // What work that gave no value fails with. Asio 1.26 gives no exception for a coroutine that was
    // cancelled before it began.
    [[nodiscard]] std::exception_ptr failure(const std::exception_ptr& error = nullptr)
        const
    {
        const error_code aborted = boost::asio::error::operation_aborted;
        if (error && code_of(error, errc::element_failed) != aborted)
            return error;
        if (has_expired_)
            return std::make_exception_ptr(system_error(errc::timed_out, "within"));
        return error ? error : std::make_exception_ptr(system_error(aborted, "within"));
    }

private:
    // A task of a coordinator has a strand of its own.
    static boost::asio::any_io_executor serialised(
        const boost::asio::any_io_executor& executor
    )
    {
        if (executor.target<supervised_executor>() != nullptr)
            return executor;
        return boost::asio::make_strand(executor);
    }

    void arm(const time_limit& limit)
    {
        if (has_ended_ || !limit.is_set())
            return;
        timer_.expires_at(limit.deadline());
        timer_.async_wait([self = shared_from_this()](const error_code& error) {
            if (error || self->has_ended_)
                return;
            self->has_expired_ = true;
            self->signal_.emit(boost::asio::cancellation_type::terminal);
        });
    }

    void end()
    {
        has_ended_ = true;
        timer_.cancel();
    }

    const boost::asio::any_io_executor home_;
    boost::asio::steady_timer timer_;
    boost::asio::cancellation_signal signal_;
    bool has_ended_ = false;
    bool has_expired_ = false;
};

template <class T>
using kept_value =
    std::optional<std::conditional_t<std::is_void_v<T>, std::monostate, T>>;

template <class T>
boost::asio::awaitable<void> keep_value(
    boost::asio::awaitable<T> work,
    kept_value<T>& value
)
{
    if constexpr (std::is_void_v<T>) {
        co_await std::move(work);
        value.emplace();
    } else {
        value.emplace(co_await std::move(work));
    }
}

template <class T>
boost::asio::awaitable<T> run_limited(boost::asio::awaitable<T> work, time_limit limit)
{
    const auto limited = std::make_shared<limited_work>(
        co_await boost::asio::this_coro::executor
    );
    auto initiate = [&limited, &limit](auto handler, auto started) {
        auto slot = boost::asio::get_associated_cancellation_slot(handler);
        if (slot.is_connected())
            slot.assign([limited](boost::asio::cancellation_type type) {
                limited->cancel(type);
            });
        auto done = [handler = std::move(handler),
                     slot](const std::exception_ptr& error) mutable {
            const auto executor = boost::asio::get_associated_executor(handler);
            auto resume = [handler = std::move(handler), slot, error]() mutable {
                if (slot.is_connected())
                    slot.clear();
                std::move(handler)(error);
            };
            boost::asio::dispatch(executor, std::move(resume));
        };
        limited->start(limit, std::move(started), std::move(done));
    };
    kept_value<T> value;
    co_await boost::asio::
        async_initiate<const boost::asio::use_awaitable_t<>, void(std::exception_ptr)>(
            std::move(initiate),
            boost::asio::use_awaitable,
            keep_value(std::move(work), value)
        );
    if (!value)
        std::rethrow_exception(limited->failure());
    if constexpr (!std::is_void_v<T>)
        co_return std::move(*value);
}

}  // namespace detail

/// Runs any work with a time limit.
/**
 * A deadline for work that consists of several operations. Asio's `work() || timer.async_wait()`
 * waits for a *success*: if the work fails, it still waits for the timer, and the error is lost.
 * This passes the error at once.
 *
 * When the time is over the work is cancelled, and this waits until it has ended, so whatever the
 * work refers to may go when this returns. Work that ends with a value in spite of that has its
 * value delivered: nothing that was done is lost. Work that does not react to a cancellation takes
 * as long as it takes.
 *
 * @par Example
 * @code
 * try {
 *     const page found = co_await sluice::within(fetch(url), 100ms);
 * } catch (const sluice::system_error& error) {
 *     if (error.code() != sluice::errc::timed_out)
 *         throw;
 * }
 * @endcode
 *
 * @param work      begins at once, on the executor of the coroutine that awaits this, inside a
 *                  strand.
 * @param duration  begins with the work. If the work is complete without a wait it succeeds,
 *                  whatever the duration. One that the clock cannot count means no limit.
 * @return what the work gives.
 * @throws system_error  errc::timed_out if the work was cancelled because its time was over.
 * @throws everything that the work throws, apart from the `operation_aborted` of that.
 * @par Cancellation     passed on to the work, of the type that comes; waits for its end.
 * @par Object lifetime  what the work refers to must live until this completes.
 * @par Thread safety    safe on an executor with several threads, with or without a strand.
 * @par Complexity       one timer and a few allocations. For a single operation of a queue write
 *                       `queue.dequeue().within(100ms)`, which has neither.
 */
template <class T, class Rep, class Period>
[[nodiscard]] boost::asio::awaitable<T> within(
    boost::asio::awaitable<T> work,
    std::chrono::duration<Rep, Period> duration
)
{
    return detail::run_limited(std::move(work), detail::time_limit::within(duration));
}

}  // namespace sluice
