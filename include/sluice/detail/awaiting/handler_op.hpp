// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/connection.hpp>
#include <sluice/detail/awaiting/post.hpp>

#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/executor_work_guard.hpp>

#include <memory>
#include <tuple>
#include <utility>

namespace sluice::detail {

// Keeps the executor of a handler busy. A base, and the first: it must outlive what is
// connected to the executor, also if the handler cannot be moved.
template <class Handler, class Executor>
struct handler_work
{
    boost::asio::executor_work_guard<
        boost::asio::associated_executor_t<Handler, Executor>>
        guard;
};

// An operation that was started with a completion handler. It lives in memory of the
// handler's associated allocator and keeps the handler's executor busy until the handler is
// called, always through that executor. Whoever holds the pointer to it owns it: first the
// hub's lists, then the function that was posted.
template <class Waiter, class Handler, class Executor, class Limit>
class handler_op final : private handler_work<Handler, Executor>, public Waiter
{
    using work = handler_work<Handler, Executor>;

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
        handler_op* const started = self.release();  // may be gone when start() returns
        (void)started->Waiter::start(delivery::always_posted, started->mode_);
    }

    handler_op(
        typename Waiter::arguments&& args,
        Handler&& handler,
        const Executor& fallback,
        const Limit& limit
    )
        : work{decltype(work::guard)(
              boost::asio::get_associated_executor(handler, fallback)
          )},
          Waiter(std::move(args)),
          mode_(connect_to(handler, limit)),
          handler_(std::move(handler))
    {
    }

    ~handler_op()
    {
        connection_.close();
        Waiter::forget();
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
        // The slot refers to the operation before the handler is moved, and that may fail.
        struct unfinished
        {
            allocator_type& allocator;
            boost::asio::cancellation_slot slot;
            handler_op* memory;
            ~unfinished()
            {
                if (memory == nullptr)
                    return;
                if (slot.is_connected())
                    slot.clear();
                allocator_traits::deallocate(allocator, memory, 1);
            }
        } raw{
            allocator,
            boost::asio::get_associated_cancellation_slot(handler),
            allocator_traits::allocate(allocator, 1)
        };
        allocator_traits::construct(
            allocator,
            raw.memory,
            std::move(args),
            std::move(handler),
            fallback,
            limit
        );
        return owner(std::exchange(raw.memory, nullptr));
    }

    // Before the handler is moved, so that it is as it was if this fails.
    wait_mode connect_to(Handler& handler, const Limit& limit)
    {
        const wait_mode mode = connection_.open(work::guard.get_executor(), limit);
        auto slot = boost::asio::get_associated_cancellation_slot(handler);
        if (slot.is_connected())
            slot.template emplace<cancel_hook>(*this);
        return mode;
    }

    void free(allocator_type allocator) noexcept
    {
        allocator_traits::destroy(allocator, this);
        allocator_traits::deallocate(allocator, this, 1);
    }

    // What is posted to the executor. If the executor drops it uncalled, the operation dies
    // with it, and what it was handed goes back to the queue.
    class completion
    {
    public:
        explicit completion(handler_op* op) noexcept : op_(op) {}

        void operator()() { handler_op::complete(std::move(op_)); }

    private:
        owner op_;
    };

    void deliver() noexcept override
    {
        detail::post(
            work::guard.get_executor(),
            completion(this),
            post_memory_,
            boost::asio::get_associated_allocator(handler_)
        );
    }

    void orphan() noexcept override
    {
        auto slot = boost::asio::get_associated_cancellation_slot(handler_);
        if (slot.is_connected())
            slot.clear();
    }

    void abandon() noexcept override { const owner self(this); }

    static void complete(owner self)
    {
        self->Waiter::finish_delivery();
        auto slot = boost::asio::get_associated_cancellation_slot(self->handler_);
        if (slot.is_connected())
            slot.clear();
        // The handler may start the next operation, so the memory of this one is freed first.
        // The work guard goes with it, but until we return the executor is busy with us.
        auto outcome = self->outcome();
        allocator_type allocator(boost::asio::get_associated_allocator(self->handler_));
        Handler handler(std::move(self->handler_));
        self.release()->free(std::move(allocator));
        std::apply(std::move(handler), std::move(outcome));
    }

    post_memory post_memory_;
    connection<Limit> connection_{*this};
    const wait_mode mode_;
    Handler handler_;
};

}  // namespace sluice::detail
