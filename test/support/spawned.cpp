// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/spawned.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>

namespace sluice::test::detail {

void start(
    const asio::any_io_executor& executor,
    asio::awaitable<void> coroutine,
    std::shared_ptr<spawned_state_base> state
)
{
    const asio::cancellation_slot slot = state->cancellation.slot();
    asio::co_spawn(
        executor,
        std::move(coroutine),
        asio::bind_cancellation_slot(
            slot,
            [state = std::move(state)](std::exception_ptr error) {
                state->complete(std::move(error));
            }
        )
    );
}

}  // namespace sluice::test::detail
