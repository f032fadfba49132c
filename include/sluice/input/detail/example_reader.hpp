// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/permit.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <boost/asio/awaitable.hpp>

#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::detail {

// A callable that starts a coroutine, which gives one example, perhaps none, or several.
template <class Read, class T>
concept reads_examples =
    std::invocable<Read&> && std::move_constructible<Read> &&
    (std::same_as<std::invoke_result_t<Read&>, boost::asio::awaitable<T>> ||
     std::
         same_as<std::invoke_result_t<Read&>, boost::asio::awaitable<std::optional<T>>> ||
     std::same_as<std::invoke_result_t<Read&>, boost::asio::awaitable<std::vector<T>>>);

// The operation of a worker that reads examples. It takes a place before it reads: an example
// that was read always has somewhere to go.
template <class Queue, class Read>
class reading_operation
{
    using element = typename Queue::value_type;

public:
    reading_operation(std::shared_ptr<Queue> queue, Read&& read)
        : queue_(std::move(queue)), read_(std::move(read))
    {
    }

    // One example, or several that are read at once. If there is none the place is returned,
    // because who keeps one keeps the consumers of a closed queue from seeing the end.
    boost::asio::awaitable<void> operator()()
    {
        permit<element> place = co_await queue_->reserve();
        auto given = co_await read_();
        if constexpr (std::same_as<decltype(given), element>) {
            place.fill(std::move(given));
        } else if constexpr (std::same_as<decltype(given), std::optional<element>>) {
            if (given)
                place.fill(std::move(*given));
        } else if (!given.empty()) {
            place.fill(std::move(given.front()));
            co_await queue_->enqueue_many(std::span<element>(given).subspan(1));
        }
    }

private:
    std::shared_ptr<Queue> queue_;
    Read read_;
};

// A callable that reads examples, whatever its type.
template <class Queue>
class example_reader
{
public:
    example_reader() = default;
    example_reader(const example_reader&) = delete;
    example_reader& operator=(const example_reader&) = delete;
    virtual ~example_reader() = default;

    // The operation that puts what is read into the queue. It takes over the callable.
    [[nodiscard]] virtual queue_runner::operation into(std::shared_ptr<Queue> queue) = 0;
};

template <class Queue, reads_examples<typename Queue::value_type> Read>
class example_reader_of final : public example_reader<Queue>
{
public:
    explicit example_reader_of(Read&& read) : read_(std::move(read)) {}

    [[nodiscard]] queue_runner::operation into(std::shared_ptr<Queue> queue) override
    {
        return reading_operation<Queue, Read>(std::move(queue), std::move(read_));
    }

private:
    Read read_;
};

}  // namespace sluice::detail
