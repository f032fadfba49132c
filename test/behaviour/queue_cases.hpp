// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "support/io_fixture.hpp"
#include "support/message_of.hpp"
#include "support/printing.hpp"
#include "support/spawned.hpp"
#include "support/stored.hpp"
#include <sluice/error.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <ranges>
#include <source_location>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::test {

// Why: a case of a queue reads as "this operation waits, that one completes, now the
// first one has completed too". These helpers start operations in coroutines of their own
// and run the io_context dry, so that waiting is a fact and not a matter of time.

/// What `co_await` gives for an operation.
template <class Operation>
using awaited = decltype(std::declval<Operation>().operator co_await().await_resume());

/// An operation as a coroutine; the operation's arguments must live as long.
template <class Operation>
asio::awaitable<awaited<Operation>> perform(Operation operation)
{
    co_return co_await std::move(operation);
}

/// An enqueue that keeps its element.
template <class Queue>
asio::awaitable<void> enqueue_owned(Queue& queue, typename Queue::value_type element)
{
    co_await queue.enqueue(std::ref(element));
}

/// An enqueue_many that keeps its rows.
template <class Queue>
asio::awaitable<std::size_t> enqueue_many_owned(
    Queue& queue,
    std::vector<typename Queue::value_type> rows
)
{
    co_return co_await queue.enqueue_many(rows);
}

/// first, first + 1, ..., last.
inline std::vector<int> range(int first, int last)
{
    std::vector<int> result;
    for (int i = first; i <= last; ++i)
        result.push_back(i);
    return result;
}

/// 10, 20, ..., 10 * count.
inline std::vector<int> tens(int count)
{
    std::vector<int> result;
    for (int i = 1; i <= count; ++i)
        result.push_back(10 * i);
    return result;
}

template <class T>
std::vector<T> sorted(std::vector<T> values)
{
    std::ranges::sort(values);
    return values;
}

template <class T>
std::vector<T> joined(std::vector<T> first, const std::vector<T>& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// The same number as an element: itself, or a row of length 1.
template <class T>
T element(int number)
{
    if constexpr (std::ranges::range<T>)
        return T(1, number);
    else
        return T(number);
}

template <class T>
std::vector<T> elements(const std::vector<int>& numbers)
{
    std::vector<T> result;
    for (const int number : numbers)
        result.push_back(element<T>(number));
    return result;
}

/// The number of an element that element() made.
template <class T>
int number(const T& value)
{
    if constexpr (std::ranges::range<T>)
        return value.size() == 1 ? value.front() : -1;
    else
        return value;
}

template <class Batch>
std::vector<int> numbers(const Batch& batch)
{
    std::vector<int> result;
    for (const auto& value : batch)
        result.push_back(number(value));
    return result;
}

/// The text of an exception.
inline std::string what(const std::exception_ptr& error)
{
    return error ? sluice::test::message_of(error) : "no exception";
}

inline bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

/// An io_context on which operations are started one by one.
struct queue_fixture : io_fixture
{
    /// Starts an operation and runs whatever is ready.
    template <class Operation>
    auto start(
        Operation&& operation,
        std::source_location where = std::source_location::current()
    )
    {
        auto started = spawn(perform(stored(std::forward<Operation>(operation))), where);
        run(where);
        return started;
    }

    template <class Queue>
    auto start_enqueue(
        Queue& queue,
        typename Queue::value_type element,
        std::source_location where = std::source_location::current()
    )
    {
        auto started = spawn(enqueue_owned(queue, std::move(element)), where);
        run(where);
        return started;
    }

    template <class Queue>
    auto start_enqueue_many(
        Queue& queue,
        std::vector<typename Queue::value_type> rows,
        std::source_location where = std::source_location::current()
    )
    {
        auto started = spawn(enqueue_many_owned(queue, std::move(rows)), where);
        run(where);
        return started;
    }

    /// Calls a function on the context and runs whatever is ready after it.
    /** A coroutine that is cancelled there is cancelled at once, before it can resume. */
    template <class Function>
    void inside(Function function)
    {
        asio::post(ctx, std::move(function));
        run();
    }

    /// The result of an operation that must not wait.
    template <class Operation>
    auto get(
        Operation&& operation,
        std::source_location where = std::source_location::current()
    )
    {
        return start(std::forward<Operation>(operation), where).result(where);
    }

    /// Enqueues one element, which must not wait.
    template <class Queue>
    void put(
        Queue& queue,
        typename Queue::value_type element,
        std::source_location where = std::source_location::current()
    )
    {
        start_enqueue(queue, std::move(element), where).result(where);
    }

    /// Enqueues these rows at once, which must not wait.
    template <class Queue>
    void fill(
        Queue& queue,
        std::vector<typename Queue::value_type> rows,
        std::source_location where = std::source_location::current()
    )
    {
        const std::size_t count = rows.size();
        check(
            start_enqueue_many(queue, std::move(rows), where).result(where) == count,
            "not all rows went in",
            where
        );
    }

    /// `count` elements, dequeued one by one, none of which waits.
    template <class Queue>
    auto get_each(
        Queue& queue,
        std::size_t count,
        std::source_location where = std::source_location::current()
    )
    {
        std::vector<typename Queue::value_type> result;
        for (; count > 0; --count)
            result.push_back(get(queue.dequeue(), where));
        return result;
    }
};

}  // namespace sluice::test
