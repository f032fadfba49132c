// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/input/basic_batcher.hpp>
#include <sluice/queue/shuffle_queue.hpp>

#include <boost/asio/any_io_executor.hpp>

namespace sluice {

/// Reads examples and gives them in batches, in random order.
/**
 * As TensorFlow's `shuffle_batch` and, with a list of callables, `shuffle_batch_join`. It
 * chooses among what is stored, so give it a `capacity` well above `min_after_dequeue`.
 *
 * @par Example
 * @code
 * sluice::shuffle_batcher<example> batches{
 *     pool,
 *     read_example,
 *     {.batch_size = 32, .capacity = 1024, .min_after_dequeue = 512, .seed = 7}
 * };
 * @endcode
 *
 * @par Ordering         as shuffle_queue.
 * @par Closing          as basic_batcher.
 * @par Object lifetime  as basic_batcher.
 * @par Thread safety    as basic_batcher.
 *
 * @tparam T         the examples: move-constructible and move-assignable.
 * @tparam Executor  where completions run that have no executor of their own.
 */
template <class T, class Executor = boost::asio::any_io_executor>
using shuffle_batcher =
    basic_batcher<shuffle_queue<T, Executor>, shuffle_batcher_options>;

}  // namespace sluice
