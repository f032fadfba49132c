// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/fwd.hpp>
#include <sluice/queue/basic_queue.hpp>
#include <sluice/queue/fifo_store.hpp>

namespace sluice {

/// A bounded queue whose elements leave in the order in which they came.
/**
 * The queue for everything between two stages whose speeds differ. Capacity 0 makes it a
 * rendezvous: nothing is stored, and an enqueue completes when a dequeue takes its element.
 * The rules are those of TensorFlow's FIFOQueue, which knows no rendezvous.
 *
 * @par Example
 * @code
 * sluice::fifo_queue<std::string> lines{pool, {.capacity = 64, .name = "lines"}};
 * co_await lines.enqueue("hello");
 * std::string line = co_await lines.dequeue();
 * @endcode
 *
 * @par Ordering         elements returned by a cancellation are in front of those stored.
 * @par Closing          as basic_queue.
 * @par Object lifetime  as basic_queue.
 * @par Thread safety    as basic_queue.
 *
 * @tparam T         the elements: move-constructible.
 * @tparam Executor  where completions run that have no executor of their own; an any_io_executor by
 *                   default.
 */
template <class T, class Executor>
using fifo_queue = basic_queue<T, fifo_store<T>, Executor>;

}  // namespace sluice
