// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error.hpp>
#include <sluice/queue/permit.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <boost/asio/awaitable.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

// A callable that reads examples, whatever its type. What it reads goes to a queue, or to
// another target for which there is a reading_operation.
template <class Target>
class example_reader
{
public:
    example_reader() = default;
    example_reader(const example_reader&) = delete;
    example_reader& operator=(const example_reader&) = delete;
    virtual ~example_reader() = default;

    // The operation that puts what is read into the target. It takes over the callable.
    [[nodiscard]] virtual queue_runner::operation into(std::shared_ptr<Target> target
    ) = 0;
};

template <class Target, reads_examples<typename Target::value_type> Read>
class example_reader_of final : public example_reader<Target>
{
public:
    explicit example_reader_of(Read&& read) : read_(std::move(read)) {}

    [[nodiscard]] queue_runner::operation into(std::shared_ptr<Target> target) override
    {
        return reading_operation<Target, Read>(std::move(target), std::move(read_));
    }

private:
    Read read_;
};

// Whose readers they are, for the messages.
struct reader_owner
{
    const char* kind;
    std::string_view name;

    [[noreturn]] void refuse(const std::string& why) const
    {
        throw system_error(
            errc::invalid_argument,
            std::string(kind) + " '" + std::string(name) + "': " + why
        );
    }
};

// What a worker repeats: a callable that reads, of any type that can be moved. Users know it as
// the member `reader` of what they give it to.
template <class Target>
class reader
{
public:
    // Takes over a callable. One that compares equal to null reads nothing.
    template <reads_examples<typename Target::value_type> Read>
    reader(Read read)
    {
        if constexpr (requires {
                          requires std::constructible_from<Read, std::nullptr_t>;
                          read == nullptr;
                      }) {
            if (read == nullptr)
                return;
        }
        read_ = std::make_unique<example_reader_of<Target, Read>>(std::move(read));
    }

    // What it has, which is not null.
    [[nodiscard]] std::unique_ptr<example_reader<Target>> take(const reader_owner& owner
    ) const
    {
        if (!read_)
            owner.refuse("a reader is empty; give a callable");
        return std::move(read_);
    }

private:
    // mutable: a braced list gives its elements as const, and we take them out of it
    mutable std::unique_ptr<example_reader<Target>> read_;
};

template <class Target>
using reader_list = std::vector<std::unique_ptr<example_reader<Target>>>;

// A reader for each worker, with copies of one callable.
template <class Target, class Read>
reader_list<Target> copies_of(Read read, std::size_t workers, const reader_owner& owner)
{
    reader_list<Target> readers;
    if constexpr (std::copy_constructible<Read>) {
        while (readers.size() + 1 < workers)
            readers.push_back(reader<Target>(Read(read)).take(owner));
    } else if (workers != 1) {
        owner.refuse("a reader that cannot be copied has one worker");
    }
    readers.push_back(reader<Target>(std::move(read)).take(owner));
    return readers;
}

// The readers of a list, which has one worker for each.
template <class Target, class Iterator>
reader_list<Target> taken_from(Iterator first, Iterator last, const reader_owner& owner)
{
    reader_list<Target> readers;
    for (; first != last; ++first)
        readers.push_back(first->take(owner));
    return readers;
}

// `workers` of the options, where a list of readers was given.
inline void check_workers_of_list(std::size_t workers, const reader_owner& owner)
{
    if (workers != 1)
        owner.refuse(
            "each reader of a list has one worker; leave workers (" +
            std::to_string(workers) + ") at 1"
        );
}

template <class Target>
std::vector<queue_runner::operation> operations_of(
    const reader_list<Target>& readers,
    const std::shared_ptr<Target>& target
)
{
    std::vector<queue_runner::operation> operations;
    operations.reserve(readers.size());
    for (const auto& reader : readers)
        operations.push_back(reader->into(target));
    return operations;
}

}  // namespace sluice::detail
