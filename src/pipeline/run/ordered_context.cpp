// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/ordered_context.hpp"

#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

asio::awaitable<std::vector<element>> ordered_context::read(std::size_t max)
{
    return take(context().read(max));
}

asio::awaitable<std::vector<element>> ordered_context::read_up_to(std::size_t count)
{
    return take(context().read_up_to(count));
}

asio::awaitable<std::vector<element>> ordered_context::read_up_to(
    std::size_t count,
    std::chrono::nanoseconds linger
)
{
    return take(context().read_up_to(count, linger));
}

asio::awaitable<std::vector<element>> ordered_context::take(
    asio::awaitable<std::vector<element>> taking
)
{
    co_await end();
    const waiting_scope waiting(clock_, activity::waiting_to_dequeue);
    const auto turn = co_await order_.turn_to_read();
    std::vector<element> batch = co_await std::move(taking);
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
