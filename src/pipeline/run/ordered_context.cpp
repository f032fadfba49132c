// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/ordered_context.hpp"

#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

asio::awaitable<std::vector<element>> ordered_context::take(read_request request)
{
    co_await end();
    const waiting_scope waiting(clock_, activity::waiting_to_dequeue);
    const auto turn = co_await order_.turn_to_read();
    std::vector<element> batch = co_await context().take(request);
    if (!batch.empty())
        ticket_ = order_.open();
    co_return batch;
}

asio::awaitable<void> ordered_context::write(std::vector<element>& elements)
{
    const waiting_scope waiting(clock_, activity::waiting_to_enqueue);
    co_await order_.write(ticket_.value(), elements, context());
}

asio::awaitable<void> ordered_context::end()
{
    if (!ticket_)
        co_return;
    const waiting_scope waiting(clock_, activity::waiting_to_enqueue);
    co_await order_.end(*std::exchange(ticket_, std::nullopt), context());
}

}  // namespace sluice::pipeline
