// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/awaiter.hpp>
#include <sluice/detail/waiting/waiter.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/detail/handler_tracking.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/version.hpp>
#include <boost/asio/wait_traits.hpp>

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

// The one place that knows how asio::awaitable works inside. An operation that Asio itself
// awaits always suspends and is always posted to the executor; one that is ready should do
// neither (P7), and for that the awaiter has to be ours. What is used here has been the same
// since awaitable got cancellation: the template that builds the awaiter of an operation,
// awaitable_async_op<Signature, Operation, Executor>, and the template whose specialisations
// may see the entry point of a coroutine stack, awaitable_async_op_handler. Besides, two types by
// which Asio asks what would happen if an operation were called.
//
// Where SLUICE_PORTABLE_AWAIT is defined as 1 the second template is not used, as
// portable_awaiter.hpp wants it. With a newer Asio, where this has not been checked, CMake tries
// and defines it as 1 or 0; 0 asks for the fast path. All sources of a program must agree.
#if BOOST_ASIO_VERSION < 102600
#error "sluice needs Boost.Asio 1.26 or newer"
#elif BOOST_ASIO_VERSION > 103899 && !defined(SLUICE_PORTABLE_AWAIT)
#pragma message("sluice: unknown Boost.Asio; define SLUICE_PORTABLE_AWAIT as 0, or as 1")
#endif

#if defined(SLUICE_PORTABLE_AWAIT) && SLUICE_PORTABLE_AWAIT == 0
#undef SLUICE_PORTABLE_AWAIT
#endif

namespace sluice::detail {

#ifdef SLUICE_PORTABLE_AWAIT

template <class Operation>
class portable_operation;

template <class Operation, class AsioAwaiter>
class portable_awaiter;

#else

struct resume_tag
{
};

// A suspended stack of asio::awaitable coroutines. Destroying one that was not resumed
// destroys the coroutines, on their executor.
template <class Executor>
using suspended_coroutine =
    boost::asio::detail::awaitable_async_op_handler<void(resume_tag), Executor>;

template <class Operation, class Executor>
class awaitable_waiter;

#endif

// What Asio calls an operation with to learn whether it is one. What is refused all the same lets
// this pass, so that the compiler gives one error.
template <class Token>
inline constexpr bool is_first_asio_probe =
    std::same_as<std::remove_cvref_t<Token>, boost::asio::detail::async_operation_probe>;

// Or with what signature, which it asks next.
template <class Token>
inline constexpr bool is_asio_probe =
    is_first_asio_probe<Token> || std::same_as<
                                      std::remove_cvref_t<Token>,
                                      boost::asio::detail::completion_signature_probe>;

// Writes an operation into the log of Asio's handler tracking, as those of Asio are:
// `0*1|sluice@0x7ffe00c0.dequeue on queue 'lines'` where it is started, and the error with which
// its handler is called. Empty in a program that does not define
// BOOST_ASIO_ENABLE_HANDLER_TRACKING.
#ifdef BOOST_ASIO_ENABLE_HANDLER_TRACKING

// clang-format off: it does not know the first macro
class handler_tracking final BOOST_ASIO_INHERIT_TRACKED_HANDLER
{
public:
    template <class Executor>
    void note_started(const Executor& executor, waiter& started)
    {
        auto& context = boost::asio::query(executor, boost::asio::execution::context);
        const std::string text = started.describe();
        BOOST_ASIO_HANDLER_CREATION((context, *this, "sluice", &started, 0, text.c_str()));
    }

    // Calls what goes on with the outcome. For a copy of *this, as the operation may end there.
    template <class Error, class Call>
    void note_called(Error&& error, Call&& call)
    {
        BOOST_ASIO_HANDLER_COMPLETION((*this));
        BOOST_ASIO_HANDLER_INVOCATION_BEGIN((error()));
        std::forward<Call>(call)();
        BOOST_ASIO_HANDLER_INVOCATION_END;
    }
};
// clang-format on

#else

class handler_tracking final
{
public:
    template <class Executor>
    static void note_started(const Executor& /*executor*/, waiter& /*started*/) noexcept
    {
    }

    template <class Error, class Call>
    [[gnu::always_inline]] static void note_called(const Error& /*error*/, Call&& call)
    {
        std::forward<Call>(call)();
    }
};

#endif

}  // namespace sluice::detail

// The timer, as Asio declares it for its own headers. Its definition brings all of Boost.DateTime
// along, which takes as long to compile as this library.
#ifndef BOOST_ASIO_BASIC_WAITABLE_TIMER_FWD_DECL
#define BOOST_ASIO_BASIC_WAITABLE_TIMER_FWD_DECL
namespace boost::asio {
template <
    typename Clock,
    typename WaitTraits = boost::asio::wait_traits<Clock>,
    typename Executor = any_io_executor>
class basic_waitable_timer;
}
#endif

namespace boost::asio::detail {

#ifdef SLUICE_PORTABLE_AWAIT

// There is no public way to give co_await another result than the one that belongs to the
// completion signature.
template <typename Signature, sluice::detail::any_operation Operation, typename Executor>
class awaitable_async_op<Signature, Operation, Executor>
    : public sluice::detail::portable_awaiter<
          sluice::detail::as_returned<Operation>,
          awaitable_async_op<
              void(),
              sluice::detail::portable_operation<sluice::detail::as_returned<Operation>>,
              Executor>>
{
public:
    using awaitable_async_op::portable_awaiter::portable_awaiter;
};

#else

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
    using frame_type = frame;

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

// Is the awaiter itself, and made where it stays: what is copied again right after it was
// written makes the processor wait for the first writing.
template <typename Signature, sluice::detail::any_operation Operation, typename Executor>
class awaitable_async_op<Signature, Operation, Executor>
    : public sluice::detail::awaiter<
          sluice::detail::
              awaitable_waiter<sluice::detail::as_returned<Operation>, Executor>,
          sluice::detail::as_returned<Operation>&>
{
public:
    // With handler tracking a newer Asio also says where the co_await stands.
    template <typename... Location>
    awaitable_async_op(
        sluice::detail::as_returned<Operation>&& awaited,
        awaitable_frame_base<Executor>* awaiting,
        const Location&... /*location*/
    )
        : awaitable_async_op::awaiter(
              std::move(awaited),
              sluice::detail::suspended_coroutine<Executor>::is_cancelled(*awaiting)
          )
    {
    }
};

#endif

}  // namespace boost::asio::detail
