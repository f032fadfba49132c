// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/element_queue.hpp"

#include "pipeline/data/record_builder.hpp"
#include "pipeline/run/element_order.hpp"
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/padding_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/shuffle_queue.hpp>

#include <span>
#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

// How all types of queues but priority hold elements.
struct as_they_are
{
    std::vector<element>& stored(std::vector<element>& elements) const
    {
        return elements;
    }

    std::vector<element> restored(std::vector<element>&& elements) const
    {
        return std::move(elements);
    }

    std::size_t try_put(auto& queue, std::span<element> elements) const
    {
        return queue.try_enqueue_many(elements);
    }
};

// In an order of their own, so that few records of a block may be left of it.
struct on_their_own : as_they_are
{
    std::vector<element>& stored(std::vector<element>& elements) const
    {
        for (element& each : elements)
            each = detail::on_its_own(std::move(each));
        return elements;
    }

    std::size_t try_put(auto& queue, std::span<element> elements) const
    {
        for (element& each : elements)
            each = detail::on_its_own(std::move(each));
        return queue.try_enqueue_many(elements);
    }
};

struct with_keys
{
    std::vector<ordered_element> stored(std::vector<element>& elements) const
    {
        std::vector<ordered_element> ordered;
        ordered.reserve(elements.size());
        for (element& each : elements)
            ordered.push_back(with_key(std::move(each), by));
        return ordered;
    }

    std::vector<element> restored(std::vector<ordered_element>&& ordered) const
    {
        std::vector<element> elements;
        elements.reserve(ordered.size());
        for (ordered_element& each : ordered)
            elements.push_back(std::move(each.content));
        return elements;
    }

    std::size_t try_put(auto& queue, std::span<element> elements) const
    {
        for (std::size_t i = 0; i < elements.size(); ++i) {
            ordered_element one = with_key(std::move(elements[i]), by);
            if (queue.try_enqueue(std::move(one)))
                continue;
            elements[i] = std::move(one.content);
            return i;
        }
        return elements.size();
    }

    nlohmann::json::json_pointer by;
};

template <class Queue, class Form = as_they_are>
class typed_element_queue final : public element_queue
{
public:
    typed_element_queue(
        const asio::any_io_executor& executor,
        typename Queue::options_type options,
        Form form = {}
    )
        : weight_limit_(options.weight_limit),
          queue_(executor, std::move(options)),
          form_(std::move(form))
    {
    }

    asio::awaitable<std::vector<element>> take(read_request request) override
    {
        if (!request.fill)
            return take_by(queue_.dequeue_some(request.most));
        if (!request.linger)
            return take_by(queue_.dequeue_up_to(request.most));
        return take_by(queue_.dequeue_up_to(request.most).linger(*request.linger));
    }

    asio::awaitable<void> put(std::vector<element>& elements) override
    {
        auto&& stored = form_.stored(elements);
        co_await queue_.enqueue_many(std::span(stored));
        elements.clear();
    }

    std::size_t try_put(std::span<element> elements) override
    {
        return form_.try_put(queue_, elements);
    }

    [[nodiscard]] queue_stats stats() const override { return queue_.stats(); }

    [[nodiscard]] bool makes_takes_wait() const override
    {
        return queue_.size() == 0 && !queue_.is_closed();
    }

    [[nodiscard]] bool makes_puts_wait(std::size_t elements) const override
    {
        return queue_.size() + elements > queue_.capacity() ||
               (weight_limit_ != unbounded && queue_.weight() >= weight_limit_);
    }

    void add_to(monitor& watch) const override { watch.add(queue_); }

    feeder feed() override { return feeder(queue_); }

    void close_on_stop(coordinator& tasks) override { tasks.close_on_stop(queue_); }

    std::unique_ptr<queue_runner> make_runner(
        std::vector<queue_runner::operation> workers,
        queue_runner_options options
    ) override
    {
        return std::make_unique<queue_runner>(
            queue_,
            std::move(workers),
            std::move(options)
        );
    }

private:
    // The end of the queue is an empty batch. A failure passes as it is: the error behind a stop
    // is known by its exception.
    template <class Operation>
    asio::awaitable<std::vector<element>> take_by(Operation operation)
    {
        try {
            co_return form_.restored(co_await std::move(operation));
        } catch (const system_error& error) {
            if (error.code() != condition::end_of_stream)
                throw;
        }
        co_return std::vector<element>();
    }

    const std::size_t weight_limit_;
    Queue queue_;
    const Form form_;
};

}  // namespace

std::unique_ptr<element_queue> element_queue::make(
    const asio::any_io_executor& executor,
    const queue_description& description
)
{
    const queue_options options{
        .capacity = description.capacity,
        .weight_limit = description.memory.count,
        .overflow = description.overflow,
        .name = description.name
    };
    switch (description.type) {
    case queue_type::shuffle:
        return std::make_unique<
            typed_element_queue<shuffle_queue<element>, on_their_own>>(
            executor,
            shuffle_queue_options{
                .capacity = description.capacity,
                .min_after_dequeue = description.min_after_dequeue,
                .seed = description.seed,
                .weight_limit = description.memory.count,
                .overflow = description.overflow,
                .name = description.name
            }
        );
    case queue_type::priority:
        return std::make_unique<
            typed_element_queue<priority_queue<ordered_element>, with_keys>>(
            executor,
            options,
            with_keys{nlohmann::json::json_pointer(description.by)}
        );
    case queue_type::padding:
        return std::make_unique<
            typed_element_queue<padding_queue<element>, on_their_own>>(executor, options);
    case queue_type::fifo:
    case queue_type::redis:  // see remote_element_queue
        break;
    }
    return std::make_unique<typed_element_queue<fifo_queue<element>>>(executor, options);
}

}  // namespace sluice::pipeline
