// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/all_cancellations.hpp>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace sluice::detail {

boost::asio::awaitable<void> heed_all_cancellations()
{
    co_await boost::asio::this_coro::reset_cancellation_state(
        boost::asio::enable_total_cancellation()
    );
}

}  // namespace sluice::detail
