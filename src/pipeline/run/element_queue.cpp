// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/element_queue.hpp"

#include "pipeline/data/record_builder.hpp"
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/padding_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/shuffle_queue.hpp>

#include <algorithm>
#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

// An element and what a described priority queue orders it by.
//
// Out of the element once, when it enters, and not at each of the comparisons in the heap. The
// element is a record on its own then, because others leave before it.
struct ordered_element
{
    element content;
    json_value key;  // null, which is before everything, if the element has no such field

    // Null, then flags, then numbers, then texts, as the JSON library orders them.
    friend bool operator<(const ordered_element& left, const ordered_element& right)
    {
        return left.key < right.key;
    }
};

json_value key_of(const element& content, const json_value::json_pointer& by)
{
    if (content.is_text())
        return by.empty() ? json_value(content.text()) : json_value();
    if (content.kind() != element_kind::value)
        return nullptr;
    const json_value value = content.to_json();
    if (!value.contains(by))
        return nullptr;
    // Numbers are compared as such, however they are written.
    const json_value& key = value.at(by);
    return is_number(key) && !key.is_number() ? json_value(to_double(key)) : key;
}

ordered_element with_key(element&& content, const json_value::json_pointer& by)
{
    json_value key = key_of(content, by);
    return {detail::on_its_own(std::move(content)), std::move(key)};
}

bool is_array(const element& row)
{
    return detail::view_of(row).is_array();
}

json_value filler_for(const json_value& array)
{
    if (!array.empty() && is_number(array.back()))
        return 0;
    if (!array.empty() && array.back().is_string())
        return "";
    return nullptr;
}

}  // namespace

// For padding_queue, which finds it by argument-dependent lookup: JSON arrays get as long as
// the longest of them, with 0 after numbers, "" after texts, and null otherwise. Whatever is
// no array stays as it is.
static void pad_rows(std::span<element> rows)
{
    std::size_t longest = 0;
    json_value filler;
    for (element& row : rows)
        if (is_array(row)) {
            longest = std::max(longest, row.value().size());
            if (filler.is_null())
                filler = filler_for(row.value());
        }
    for (element& row : rows)
        if (is_array(row))
            row.value().get_ref<json_value::array_t&>().resize(longest, filler);
}

}  // namespace sluice::pipeline

// The key is a part of the content.
template <>
struct sluice::element_weight<sluice::pipeline::ordered_element>
{
    [[nodiscard]] static std::size_t of(const pipeline::ordered_element& element) noexcept
    {
        return element.content.weight();
    }
};

namespace sluice::pipeline {

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
    void prepare(std::span<element> elements) const
    {
        for (element& each : elements)
            each = detail::on_its_own(std::move(each));
    }

    std::vector<element>& stored(std::vector<element>& elements) const
    {
        prepare(elements);
        return elements;
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
            // What was refused is still there. NOLINTNEXTLINE(bugprone-use-after-move)
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
          drops_(options.overflow != overflow::wait),
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

    void prepare(std::span<element> elements) const override
    {
        if constexpr (requires { form_.prepare(elements); })
            form_.prepare(elements);
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
        return !drops_ &&
               (queue_.size() + elements > queue_.capacity() ||
                (weight_limit_ != unbounded && queue_.weight() >= weight_limit_));
    }

    void add_to(monitor& watch, coordinator& tasks) override
    {
        watch.add(queue_);
        tasks.close_on_stop(queue_);
    }

    feeder feed() override { return feeder(queue_); }

private:
    // The end of the queue is an empty batch. A failure passes as it is: the error behind a stop
    // is known by its exception.
    template <class Operation>
    asio::awaitable<std::vector<element>> take_by(Operation dequeue)
    {
        try {
            co_return form_.restored(co_await std::move(dequeue));
        } catch (const system_error& error) {
            if (error.code() != condition::end_of_stream)
                throw;
        }
        co_return std::vector<element>();
    }

    const std::size_t weight_limit_;
    const bool drops_;
    Queue queue_;
    const Form form_;
};

class remote_element_queue final : public element_queue
{
public:
    explicit remote_element_queue(remote_queue& queue) : queue_(queue) {}

    asio::awaitable<std::vector<element>> take(read_request request) override
    {
        const std::unique_ptr<remote_batch> batch = co_await queue_.take(request);
        if (batch == nullptr)
            co_return std::vector<element>();
        std::vector<element> elements = std::move(batch->elements());
        co_await batch->acknowledge();
        co_return elements;
    }

    asio::awaitable<void> put(std::vector<element>& elements) override
    {
        return queue_.put(elements);
    }

    // Nothing of a server is there without waiting.
    std::size_t try_put(std::span<element> /*elements*/) override { return 0; }

    [[nodiscard]] queue_stats stats() const override { return queue_.snapshot().stats; }

    [[nodiscard]] bool makes_takes_wait() const override
    {
        const queue_stats now = stats();
        return now.size == 0 && !now.closed;
    }

    [[nodiscard]] bool makes_puts_wait(std::size_t elements) const override
    {
        const queue_stats now = stats();
        return now.size + elements > now.capacity;
    }

private:
    remote_queue& queue_;
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
    case queue_type::redis:  // see below
        break;
    }
    return std::make_unique<typed_element_queue<fifo_queue<element>>>(executor, options);
}

std::unique_ptr<element_queue> element_queue::make(remote_queue& queue)
{
    return std::make_unique<remote_element_queue>(queue);
}

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
        queue.prepare(elements);
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
