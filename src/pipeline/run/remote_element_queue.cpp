// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/remote_element_queue.hpp"

#include <optional>
#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

asio::awaitable<std::vector<element>> remote_element_queue::take(read_request request)
{
    const std::unique_ptr<remote_batch> batch = co_await queue_.take(request);
    if (batch == nullptr)
        co_return std::vector<element>();
    std::vector<element> elements = std::move(batch->elements());
    co_await batch->acknowledge();
    co_return elements;
}

asio::awaitable<void> remote_element_queue::put(std::vector<element>& elements)
{
    return queue_.put(elements);
}

// Nothing of a server is there without waiting.
std::size_t remote_element_queue::try_put(std::span<element> /*elements*/)
{
    return 0;
}

queue_stats remote_element_queue::stats() const
{
    return queue_.snapshot().stats;
}

bool remote_element_queue::makes_takes_wait() const
{
    const queue_stats now = stats();
    return now.size == 0 && !now.closed;
}

bool remote_element_queue::makes_puts_wait(std::size_t elements) const
{
    const queue_stats now = stats();
    return now.size + elements > now.capacity;
}

// A monitor looks at queues of this process; see remote_queue::snapshot().
void remote_element_queue::add_to(monitor& /*watch*/) const {}

feeder remote_element_queue::feed()
{
    return {};
}

// See remote_queue::end_with().
void remote_element_queue::close_on_stop(coordinator& /*tasks*/) {}

std::unique_ptr<queue_runner> remote_element_queue::make_runner(
    std::vector<queue_runner::operation> /*workers*/,
    queue_runner_options /*options*/
)
{
    return nullptr;
}

}  // namespace sluice::pipeline
