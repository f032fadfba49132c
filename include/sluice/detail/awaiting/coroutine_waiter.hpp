// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/awaiter.hpp>
#include <sluice/detail/awaiting/budget.hpp>
#include <sluice/detail/awaiting/connection.hpp>
#include <sluice/detail/awaiting/post.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/recycling_allocator.hpp>

#include <concepts>
#include <coroutine>
#include <memory>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// The waiter of an operation that is awaited by a coroutine that is not Asio's. It resumes on
// the executor of the coroutine's promise, if that has one, and else on the executor of the
// queue. Its frame belongs to another owner and may be destroyed at any time while it is
// suspended, also when the resumption is on its way; that is a cancellation.
//
// Therefore the waiter itself, a node, is not in the frame. It belongs to the frame until that
// is destroyed, and then, if a delivery is on its way, to the delivery. Both use it on the
// coroutine's executor only, so whichever comes first is seen by the other.
template <class Operation>
class coroutine_waiter
{
    class node;

public:
    explicit coroutine_waiter(Operation& operation) : node_(node::create(operation)) {}

    coroutine_waiter(const coroutine_waiter&) = delete;
    coroutine_waiter& operator=(const coroutine_waiter&) = delete;

    ~coroutine_waiter() { node_->leave(); }

    [[nodiscard]] bool try_start() noexcept { return node_->try_start(); }

    // False if the operation is complete and the coroutine goes on at once. A promise that is not
    // known, because another awaiter passes the coroutine on as a coroutine_handle<>, has neither
    // executor nor slot.
    template <class Promise>
    bool begin_wait(
        std::coroutine_handle<Promise> coroutine,
        const Operation& operation,
        delivery how
    )
    {
        const auto& limit = operation.limit();
        if constexpr (std::is_void_v<Promise>) {
            node_->connect(coroutine, operation.get_executor(), limit);
        } else {
            auto& promise = coroutine.promise();
            node_->connect(coroutine, executor_of(promise, operation), limit);
            if constexpr (requires { promise.get_cancellation_slot(); })
                node_->connect(promise.get_cancellation_slot());
        }
        const bool complete = node_->begin(how);
        if (!complete)
            budget::reset();
        return !complete;
    }

    void end_wait() noexcept { node_->disconnect(); }

    auto result() { return node_->result(); }

    auto outcome() { return node_->outcome(); }

private:
    template <class Promise>
    static boost::asio::any_io_executor executor_of(
        Promise& promise,
        const Operation& operation
    )
    {
        if constexpr (context_with<Promise, boost::asio::any_io_executor>)
            return promise.get_executor();
        else
            return operation.get_executor();
    }

    node* const node_;
};

template <class Operation>
class coroutine_waiter<Operation>::node final : public waiter_of<Operation>
{
    using base = waiter_of<Operation>;
    using allocator_type = boost::asio::recycling_allocator<node>;

public:
    static node* create(Operation& operation)
    {
        allocator_type allocator;
        node* const memory = allocator.allocate(1);
        try {
            return std::construct_at(memory, operation);
        } catch (...) {
            allocator.deallocate(memory, 1);
            throw;
        }
    }

    explicit node(Operation& operation) : base(operation.take_arguments()) {}

    void connect(
        std::coroutine_handle<> coroutine,
        const boost::asio::any_io_executor& executor,
        const limit_of<Operation>& limit
    )
    {
        coroutine_ = coroutine;
        executor_ = boost::asio::prefer(
            executor,
            boost::asio::execution::outstanding_work.tracked
        );
        mode_ = connection_.open(executor_, limit);
    }

    void connect(boost::asio::cancellation_slot slot)
    {
        slot_ = slot;
        if (slot_.is_connected())
            slot_.template emplace<cancel_hook>(*this);
    }

    [[nodiscard]] bool begin(delivery how) noexcept { return base::start(how, mode_); }

    void disconnect() noexcept
    {
        connection_.close();
        empty_slot(std::exchange(slot_, {}));
        executor_ = {};
    }

    // The frame is destroyed. The allocator uses a variable of the thread.
    SLUICE_NOT_INTO_COROUTINES void leave() noexcept
    {
        is_left_ = true;
        // First: as long as it waits, the thread that serves it may set its deadline anew.
        const bool is_on_its_way = !is_abandoned_ && base::forget();
        connection_.close();
        empty_slot(std::exchange(slot_, {}));
        if (!is_on_its_way)
            destroy();
    }

private:
    friend posted_call;

    [[nodiscard]] bool linger() noexcept override { return connection_.linger(); }

    void deliver(waiter_list& /*others*/) noexcept override
    {
        const auto executor = executor_;
        detail::post(executor, posted_call(this), post_memory_);
    }

    void run_posted()
    {
        if (is_left_) {
            destroy();
        } else {
            base::finish_delivery();
            coroutine_.resume();
        }
    }

    // The context dies.
    void drop_posted() noexcept
    {
        if (is_left_)
            destroy();
        else
            abandon();
    }

    // The context dies, and nothing of it may be used any more. The frame is not ours to
    // destroy: it stays suspended until its owner destroys it. What it was given is returned.
    void orphan() noexcept override { empty_slot(slot_); }

    void abandon() noexcept override
    {
        base::forget();
        is_abandoned_ = true;
        connection_.close();
        executor_ = {};
    }

    void destroy() noexcept
    {
        allocator_type allocator;
        std::destroy_at(this);
        allocator.deallocate(this, 1);
    }

    boost::asio::cancellation_slot slot_;    // of the promise, if that has one
    boost::asio::any_io_executor executor_;  // while suspended; keeps the context busy
    std::coroutine_handle<> coroutine_;
    post_memory post_memory_;
    connection<limit_of<Operation>> connection_{*this};
    wait_mode mode_ = wait_mode::waits;
    bool is_left_ = false;       // the frame is gone
    bool is_abandoned_ = false;  // the context is gone, and with it the delivery
};

}  // namespace sluice::detail
