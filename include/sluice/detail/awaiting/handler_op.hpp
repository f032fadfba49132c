// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/asio_internals.hpp>
#include <sluice/detail/awaiting/connection.hpp>
#include <sluice/detail/awaiting/handler_executors.hpp>
#include <sluice/detail/awaiting/post.hpp>
#include <sluice/detail/waiting/time_limit.hpp>

#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/dispatch.hpp>

#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// An operation that was started with a completion handler. It lives in memory of the
// handler's associated allocator and keeps the handler's executor busy until the handler is
// called, always through that executor. The holder of the pointer to it owns it: first the
// hub's lists, then the function that was posted.
//
// The executors are a base, and the first: they must outlive what is connected to them, also if
// the handler cannot be moved.
template <class Waiter, class Handler, class Executor, class Limit>
class handler_op final : private handler_executors<Handler, Executor>, public Waiter
{
    using executors = handler_executors<Handler, Executor>;

public:
    // `fallback` is where the handler runs if it has no executor of its own. What this throws
    // leaves the handler as it was.
    static void initiate(
        typename Waiter::arguments&& args,
        Handler&& handler,
        const Executor& fallback,
        const Limit& limit
    )
    {
        owner self(create(std::move(args), std::move(handler), fallback, limit));
        if constexpr (has_immediate_executor<Handler>)
            if (self->is_complete_)
                return complete_immediately(std::move(self), fallback);
        handler_op* const started = self.release();  // may be gone when start() returns
        (void)started->Waiter::start(delivery::always_posted, started->mode_);
    }

    handler_op(
        typename Waiter::arguments&& args,
        Handler&& handler,
        const Executor& fallback,
        const Limit& limit
    )
        : Waiter(std::move(args)),
          mode_(connect_to(handler, fallback, limit)),
          handler_(std::move(handler))
    {
    }

private:
    using allocator_type = typename std::allocator_traits<
        boost::asio::associated_allocator_t<Handler>>::template rebind_alloc<handler_op>;
    using allocator_traits = std::allocator_traits<allocator_type>;

    struct deleter
    {
        void operator()(handler_op* op) const noexcept
        {
            op->free(allocator_type(boost::asio::get_associated_allocator(op->handler_)));
        }
    };

    using owner = std::unique_ptr<handler_op, deleter>;

    static owner create(
        typename Waiter::arguments&& args,
        Handler&& handler,
        const Executor& fallback,
        const Limit& limit
    )
    {
        allocator_type allocator(boost::asio::get_associated_allocator(handler));
        const boost::asio::cancellation_slot slot =
            boost::asio::get_associated_cancellation_slot(handler);
        handler_op* const memory = allocator_traits::allocate(allocator, 1);
        try {
            allocator_traits::construct(
                allocator,
                memory,
                std::move(args),
                std::move(handler),
                fallback,
                limit
            );
        } catch (...) {
            empty_slot(slot);  // which has the operation before the handler is moved
            allocator_traits::deallocate(allocator, memory, 1);
            throw;
        }
        return owner(memory);
    }

    // Before the handler is moved, so that it is as it was if this fails.
    wait_mode connect_to(
        const Handler& handler,
        const Executor& fallback,
        const Limit& limit
    )
    {
        const auto home = executors::home_of(handler, fallback);
        tracking_.note_started(home, *this);
        const bool is_attached = connection_.attach(home);
        if constexpr (has_immediate_executor<Handler>) {
            is_complete_ = is_attached && Waiter::start_if_ready();
            if (is_complete_)
                return wait_mode::gives_up;
        }
        executors::begin_work(handler, fallback);
        const wait_mode mode = connection_.begin(is_attached, home, limit);
        auto slot = boost::asio::get_associated_cancellation_slot(handler);
        if (slot.is_connected())
            slot.template emplace<typename Waiter::slot_hook>(*this);
        return mode;
    }

    void free(allocator_type allocator) noexcept
    {
        allocator_traits::destroy(allocator, this);
        allocator_traits::deallocate(allocator, this, 1);
    }

    // What an executor gets. If the executor drops it uncalled, the operation dies
    // with it, and what it was given is returned to the queue.
    template <bool IsRelayed>
    class completion
    {
    public:
        using allocator_type = boost::asio::associated_allocator_t<Handler>;

        explicit completion(owner op) noexcept : op_(std::move(op)) {}

        [[nodiscard]] allocator_type get_allocator() const noexcept
        {
            return boost::asio::get_associated_allocator(op_->handler_);
        }

        void operator()()
        {
            if constexpr (IsRelayed)
                handler_op::relay(std::move(op_));
            else
                handler_op::complete(std::move(op_));
        }

    private:
        owner op_;
    };

    // An operation that completes in its own start takes no work of an executor, so that a
    // context that has no other goes on; and nothing can cancel it any more.
    static void complete_immediately(owner self, const Executor& fallback)
    {
        const auto executor =
            immediate_executor<Handler, Executor>::get(self->handler_, fallback);
        boost::asio::dispatch(
            executor,
            completion<has_own_executor<Handler>>(std::move(self))
        );
    }

    static void relay(owner self)
    {
        self->end_home_work();
        const auto executor = boost::asio::get_associated_executor(self->handler_);
        boost::asio::dispatch(executor, completion<false>(std::move(self)));
    }

    [[nodiscard]] bool linger() noexcept override { return connection_.linger(); }

    void deliver(waiter_list& /*others*/) noexcept override
    {
        detail::post(
            executors::home(),
            posted_call(this),
            post_memory_,
            boost::asio::get_associated_allocator(handler_)
        );
    }

    friend posted_call;

    void run_posted()
    {
        if constexpr (executors::is_relayed)
            relay(owner(this));
        else
            complete(owner(this));
    }

    void drop_posted() noexcept { const owner self(this); }

    void orphan() noexcept override
    {
        empty_slot(boost::asio::get_associated_cancellation_slot(handler_));
    }

    void abandon() noexcept override { const owner self(this); }

    static void complete(owner self)
    {
        self->Waiter::finish_delivery();
        empty_slot(boost::asio::get_associated_cancellation_slot(self->handler_));
        // The handler may start the next operation, so the memory of this one is freed first.
        // The work guard goes with it, but until we return the executor is busy with us.
        auto outcome = self->outcome();
        allocator_type allocator(boost::asio::get_associated_allocator(self->handler_));
        Handler handler(std::move(self->handler_));
        handler_tracking tracking = self->tracking_;
        self.release()->free(std::move(allocator));
        tracking.note_called(
            [&outcome] { return error_of(outcome); },
            [&handler, &outcome] { std::apply(std::move(handler), std::move(outcome)); }
        );
    }

    template <class... Results>
    [[nodiscard]] static error_code error_of(
        const std::tuple<error_code, Results...>& outcome
    )
    {
        return std::get<0>(outcome);
    }

    template <class Other>
    [[nodiscard]] static error_code error_of(const Other& /*outcome*/)
    {
        return {};
    }

    // Ends last: gives back what a handler that cannot be moved, or a function that was
    // dropped, leaves behind.
    struct forgotten_at_end
    {
        Waiter& op;
        ~forgotten_at_end() { op.forget(); }
    };

    forgotten_at_end forgotten_at_end_{*this};
    post_memory post_memory_;
    connection<Limit> connection_{*this};
    [[no_unique_address]] handler_tracking tracking_;
    bool is_complete_ = false;  // in its own start
    const wait_mode mode_;
    Handler handler_;
};

// The completion token of a member that is called without one: that of the executor. Before
// Boost 1.82 executors had none of their own; then it is what they have there.
template <class Executor>
using default_token = std::conditional_t<
    std::is_void_v<typename boost::asio::default_completion_token<Executor>::type>,
    boost::asio::deferred_t,
    typename boost::asio::default_completion_token<Executor>::type>;

// What Asio calls, at once or when a deferred operation is started, with the handler that it has
// made of a token.
template <class Waiter, class Executor, class Limit>
class initiation
{
public:
    using executor_type = Executor;

    initiation(const Executor& executor, const Limit& limit)
        : executor_(executor), limit_(limit)
    {
    }

    [[nodiscard]] executor_type get_executor() const noexcept { return executor_; }

    template <class Handler>
    void operator()(Handler&& handler, typename Waiter::arguments args) const
    {
        handler_op<Waiter, std::decay_t<Handler>, Executor, Limit>::initiate(
            std::move(args),
            std::decay_t<Handler>(std::forward<Handler>(handler)),
            executor_,
            limit_
        );
    }

private:
    Executor executor_;
    [[no_unique_address]] Limit limit_;
};

// Starts an operation with a completion token. `executor` is for handlers that have none.
template <class Waiter, class Executor, class Token, class Limit = no_limit>
auto initiate(
    typename Waiter::arguments&& args,
    const Executor& executor,
    Token&& token,
    const Limit& limit = {}
)
{
    return boost::asio::async_initiate<Token, typename Waiter::signature>(
        initiation<Waiter, Executor, Limit>(executor, limit),
        token,
        std::move(args)
    );
}

}  // namespace sluice::detail
