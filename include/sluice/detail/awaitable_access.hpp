// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/version.hpp>

#include <utility>

// The one place that knows how asio::awaitable works inside. An operation that Asio itself
// awaits always suspends and always goes through the scheduler; one that is ready should do
// neither (P7), and for that the awaiter has to be ours. What is used here has been the same
// since awaitable got cancellation: the template that builds the awaiter of an operation,
// awaitable_async_op<Signature, Operation, Executor>, and the template whose specialisations
// may see the entry point of a coroutine stack, awaitable_async_op_handler.
//
// With a newer Asio, where this has not been checked, and wherever SLUICE_PORTABLE_AWAIT is
// defined, operations are awaited as portable_awaiter.hpp does it. All sources of a program
// must agree on the macro.
#if BOOST_ASIO_VERSION < 102600
#error "sluice needs Boost.Asio 1.26 or newer"
#elif BOOST_ASIO_VERSION > 103899 && !defined(SLUICE_PORTABLE_AWAIT)
#define SLUICE_PORTABLE_AWAIT
#endif

#ifndef SLUICE_PORTABLE_AWAIT

namespace sluice::detail {

struct resume_tag
{
};

// A suspended stack of asio::awaitable coroutines. Destroying one that was not resumed
// destroys the coroutines, on their executor.
template <class Executor>
using suspended_coroutine =
    boost::asio::detail::awaitable_async_op_handler<void(resume_tag), Executor>;

}  // namespace sluice::detail

namespace boost::asio::detail {

template <typename Executor>
class awaitable_async_op_handler<void(sluice::detail::resume_tag), Executor>
    : public awaitable_thread<Executor>
{
    using frame = awaitable_frame_base<Executor>;

    // Names the protected member that holds the running thread of a frame.
    struct running : frame
    {
        static awaitable_thread<Executor>* of(frame& f)
        {
            return f.*(&running::attached_thread_);
        }
    };

public:
    // Suspends the coroutine that is awaiting; from here on it is not resumed but by us.
    explicit awaitable_async_op_handler(frame& awaiting)
        : awaitable_thread<Executor>(std::move(*awaiting.detach_thread()))
    {
    }

    awaitable_async_op_handler(awaitable_async_op_handler&&) noexcept = default;

    void resume()
    {
        frame* const top = this->entry_point()->top_of_stack_;
        top->attach_thread(this);
        top->clear_cancellation_slot();
        this->pump();
    }

    // Belongs to the coroutine: copy it before resuming.
    const Executor& executor() { return this->entry_point()->u_.executor_; }

    static const Executor& executor_of(frame& awaiting)
    {
        return running::of(awaiting)->entry_point()->u_.executor_;
    }

    // True if the coroutine was cancelled and has not reset its cancellation state since.
    static bool is_cancelled(frame& awaiting)
    {
        return running::of(awaiting)->entry_point()->cancellation_state_.cancelled() !=
               cancellation_type::none;
    }

    static cancellation_slot slot_of(frame& awaiting)
    {
        return running::of(awaiting)->get_cancellation_slot();
    }
};

}  // namespace boost::asio::detail

#endif
