// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/input/basic_batcher.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/any_io_executor.hpp>

namespace sluice {

/// Reads examples and gives them in batches, in the order in which they were read.
/**
 * As TensorFlow's `batch` and, with a list of callables, `batch_join`.
 *
 * @par Example
 * @code
 * sluice::batcher<example> batches{
 *     pool,
 *     [&]() -> asio::awaitable<example> { co_return parse(co_await lines.dequeue()); },
 *     {.batch_size = 32, .workers = 4, .capacity = 128}
 * };
 * batches.start(coord);
 * while (auto batch = co_await batches.next())  // a std::optional<std::vector<example>>
 *     train(*batch);
 * @endcode
 *
 * @par Ordering         first in, first out.
 * @par Closing          as basic_batcher.
 * @par Object lifetime  as basic_batcher.
 * @par Thread safety    as basic_batcher.
 *
 * @tparam T         the examples: move-constructible.
 * @tparam Executor  where completions run that have no executor of their own.
 */
template <class T, class Executor = boost::asio::any_io_executor>
using batcher = basic_batcher<fifo_queue<T, Executor>, batcher_options>;

}  // namespace sluice
