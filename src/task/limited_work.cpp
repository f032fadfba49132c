// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/task/detail/limited_work.hpp>

#include <sluice/detail/awaiting/all_cancellations.hpp>
#include <sluice/detail/awaiting/supervised_executor.hpp>
#include <sluice/error.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <memory>
#include <utility>

namespace sluice::detail {
namespace {

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
                    mine.complete(std::move(work)),
                    boost::asio::bind_cancellation_slot(
                        mine.signal_.slot(),
                        [self, done = std::move(done)](const std::exception_ptr& error
                        ) mutable { done(self->end(error)); }
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

    boost::asio::awaitable<void> complete(boost::asio::awaitable<void> work)
    {
        co_await heed_all_cancellations();
        co_await std::move(work);
        is_complete_ = true;
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

    // Gives what the caller gets. Asio 1.26 has no exception for a coroutine that was cancelled
    // before it began.
    [[nodiscard]] std::exception_ptr end(const std::exception_ptr& error)
    {
        has_ended_ = true;
        timer_.cancel();
        return is_complete_ ? nullptr : failure(error);
    }

    [[nodiscard]] std::exception_ptr failure(const std::exception_ptr& error) const
    {
        const error_code aborted = boost::asio::error::operation_aborted;
        if (error && code_of(error, errc::element_failed) != aborted)
            return error;
        if (has_expired_)
            return std::make_exception_ptr(system_error(errc::timed_out, "within"));
        return error ? error : std::make_exception_ptr(system_error(aborted, "within"));
    }

    const boost::asio::any_io_executor home_;
    boost::asio::steady_timer timer_;
    boost::asio::cancellation_signal signal_;
    bool is_complete_ = false;
    bool has_ended_ = false;
    bool has_expired_ = false;
};

}  // namespace

boost::asio::awaitable<void> limit_work(
    boost::asio::awaitable<void> work,
    time_limit limit
)
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
    co_await boost::asio::
        async_initiate<const boost::asio::use_awaitable_t<>, void(std::exception_ptr)>(
            std::move(initiate),
            boost::asio::use_awaitable,
            std::move(work)
        );
}

}  // namespace sluice::detail
