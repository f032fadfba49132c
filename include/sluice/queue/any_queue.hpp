// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/basic_queue.hpp>

#include <concepts>

namespace sluice {
namespace detail {

template <class T, class Store, class Executor>
void accept_queue(const basic_queue<T, Store, Executor>& queue);

}  // namespace detail

/// Any queue, in whatever order its elements leave and whatever its executor.
/**
 * A function that only enqueues and dequeues need not name the kind of its queue. What it may use
 * are the members of basic_queue, which all have. One whose result depends on the kind is
 * `batch_type`.
 */
template <class Queue>
concept any_queue = requires(const Queue& queue) { detail::accept_queue(queue); };

/// Any queue whose elements are of type T.
/**
 * @par Example
 * @code
 * asio::awaitable<void> print(sluice::queue_of<std::string> auto& lines)
 * {
 *     while (auto line = co_await lines.next())
 *         std::cout << *line << '\n';
 * }
 * @endcode
 */
template <class Queue, class T>
concept queue_of = any_queue<Queue> && std::same_as<typename Queue::value_type, T>;

}  // namespace sluice
