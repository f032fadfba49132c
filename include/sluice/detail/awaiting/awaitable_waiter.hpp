// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/asio_internals.hpp>
#include <sluice/detail/awaiting/awaiter.hpp>
#include <sluice/detail/awaiting/budget.hpp>
#include <sluice/detail/awaiting/connection.hpp>
#include <sluice/detail/awaiting/post.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <coroutine>
#include <memory>
#include <utility>

#ifdef SLUICE_PORTABLE_AWAIT

#include <sluice/detail/awaiting/portable_awaiter.hpp>

#else

namespace sluice::detail {

// The waiter of an operation that is awaited by a coroutine of type asio::awaitable. It lives
// in the coroutine's frame.
template <class Operation, class Executor>
class awaitable_waiter final : public waiter_of<Operation>
{
    using base = waiter_of<Operation>;
    using suspended = suspended_coroutine<Executor>;
    using frame = typename suspended::frame_type;

public:
    explicit awaitable_waiter(Operation& operation) : base(operation.take_arguments()) {}

    ~awaitable_waiter()
    {
        end_wait();
        base::forget();
    }

    // False if the operation is complete and the coroutine goes on at once. Whatever is
    // connected is connected before the start: afterwards *this may be resumed by another
    // thread, and be gone.
    template <class Promise>
    bool begin_wait(
        std::coroutine_handle<Promise> coroutine,
        const Operation& operation,
        delivery how
    )
    {
        frame& awaiting = coroutine.promise();
        awaiting_ = &awaiting;
        const wait_mode mode =
            connection_.open(suspended::executor_of(awaiting), operation.limit());
        auto slot = suspended::slot_of(awaiting);
        if (slot.is_connected())
            slot.template emplace<cancel_hook>(*this);
        // A cancellation that came earlier is not emitted again.
        if (suspended::is_cancelled(awaiting))
            base::cancel(boost::asio::error::operation_aborted);
        tracking_.note_started(suspended::executor_of(awaiting), *this);
        if (!base::start(how, mode)) {
            budget::reset();
            return true;
        }
        tracking_.note_called([this] { return base::code(); }, [] {});
        empty_slot(slot);
        return false;
    }

    void end_wait() noexcept { connection_.close(); }

private:
    friend posted_call;

    void suspend() noexcept override { std::construct_at(&suspended_, *awaiting_); }

    [[nodiscard]] bool linger() noexcept override { return connection_.linger(); }

    void deliver(waiter_list& /*others*/) noexcept override
    {
        detail::post(suspended_.executor(), posted_call(this), post_memory_);
    }

    void run_posted()
    {
        base::finish_delivery();
        handler_tracking tracking = tracking_;
        suspended coroutine = take_suspended();  // *this may die with it
        tracking.note_called(
            [this] { return base::code(); },
            [&coroutine] { coroutine.resume(); }
        );
    }

    // The coroutine dies with it, and what it was given is returned.
    void drop_posted() noexcept { const suspended destroyed = take_suspended(); }

    void orphan() noexcept override { empty_slot(suspended_.get_cancellation_slot()); }

    void abandon() noexcept override
    {
        end_wait();
        const suspended destroyed = take_suspended();
    }

    suspended take_suspended() noexcept
    {
        suspended taken = std::move(suspended_);
        std::destroy_at(&suspended_);
        return taken;
    }

    union
    {
        frame* awaiting_ = nullptr;  // until suspend()
        suspended suspended_;        // from there to its resumption or its end
    };
    post_memory post_memory_;
    connection<limit_of<Operation>> connection_{*this};
    [[no_unique_address]] handler_tracking tracking_;
};

}  // namespace sluice::detail

#endif
