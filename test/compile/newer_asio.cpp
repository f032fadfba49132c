// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// A release of Asio that came later than this header, in which nothing has changed: operations
// are still awaited at once where they are ready.
#include <boost/asio/version.hpp>
#undef BOOST_ASIO_VERSION
#define BOOST_ASIO_VERSION 103900
#define SLUICE_PORTABLE_AWAIT 0  // as CMake has found out

#include <sluice/detail/awaiting/link_check.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>

namespace {

static_assert(!sluice::detail::build::portable_await);

[[maybe_unused]] boost::asio::awaitable<int> pass(sluice::fifo_queue<int>& queue)
{
    co_await queue.enqueue(1);
    co_return co_await queue.dequeue();
}

}  // namespace
