// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/output_queues.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

void count_wait(element_queue& queue)
{
    queue.waits_to_put.fetch_add(1, std::memory_order_relaxed);
}

asio::awaitable<void> put_into(element_queue& queue, std::vector<element>& elements)
{
    if (queue.makes_puts_wait(elements.size()))
        count_wait(queue);
    co_await queue.put(elements);
}

// What one of several queues has not got yet.
class delivery
{
public:
    delivery(element_queue& queue, std::span<element> elements)
        : queue_(&queue), rest_(elements)
    {
    }

    [[nodiscard]] std::size_t rest() const noexcept { return rest_.size(); }

    void put_what_fits() { rest_ = rest_.subspan(queue_->try_put(rest_)); }

    [[nodiscard]] asio::awaitable<void> put_next()
    {
        if (!std::exchange(has_waited_, true))
            count_wait(*queue_);
        std::vector<element> one;
        one.push_back(std::move(rest_.front()));
        rest_ = rest_.subspan(1);
        co_await queue_->put(one);
    }

private:
    element_queue* queue_;
    std::span<element> rest_;
    bool has_waited_ = false;
};

}  // namespace

output_queues::output_queues(const asio::any_io_executor& executor)
    : turn_(executor, {.permits = 1, .name = "turn to put into several queues"})
{
}

asio::awaitable<void> output_queues::put(std::vector<element>& elements)
{
    return queues_.size() == 1 ? put_into(*queues_.front(), elements)
                               : put_into_each(elements);
}

asio::awaitable<void> output_queues::put_into_each(std::vector<element>& elements)
{
    // Otherwise the elements of two workers would be in another order in each queue.
    const auto turn = co_await turn_.acquire();
    std::vector<std::vector<element>> copies(queues_.size() - 1, elements);
    std::vector<delivery> deliveries;
    for (std::size_t i = 0; i < copies.size(); ++i)
        deliveries.emplace_back(*queues_[i], copies[i]);
    deliveries.emplace_back(*queues_.back(), elements);
    while (true) {
        for (delivery& each : deliveries)
            each.put_what_fits();
        delivery& slowest = *std::ranges::max_element(deliveries, {}, &delivery::rest);
        if (slowest.rest() == 0)
            break;
        // The others are ahead of it, by at most what is in their queues and these elements.
        co_await slowest.put_next();
    }
    elements.clear();
}

}  // namespace sluice::pipeline
