// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/waiter.hpp>

#include <boost/asio/detail/handler_tracking.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/query.hpp>

#include <string>
#include <utility>

namespace sluice::detail {

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
