// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/fwd.hpp>
#include <sluice/queue/basic_queue.hpp>
#include <sluice/queue/padding_store.hpp>

namespace sluice {

/// A fifo_queue of rows whose batches are padded to rows of equal length.
/**
 * A batch of sentences or signals has to be rectangular, but rows differ in length. A batch
 * dequeue pads the rows it gives to the longest of them, at the end, with value-initialised
 * elements; the length of the batch depends on no other row of the queue. A single dequeue
 * gives the row as it is. As in TensorFlow's PaddingFIFOQueue.
 *
 * @par Example
 * @code
 * sluice::padding_queue<std::vector<float>> rows{pool, {.capacity = 64}};
 * auto batch = co_await rows.dequeue_up_to(32);  // a padded_batch<std::vector<float>>
 * use(batch, batch.lengths());                   // the lengths before padding
 * @endcode
 *
 * @par Ordering         first in, first out.
 * @par Closing          as basic_queue.
 * @par Object lifetime  as basic_queue.
 * @par Errors           an exception of the padding is that of the operation, and the rows return
 *                       to the front of the queue, in order and not padded.
 * @par Thread safety    as basic_queue. Rows are padded without the lock, where the batch is
 *                       received.
 *
 * @tparam T         the rows: a resizable range, or any type with a `pad_rows` of its own; see
 *                   paddable.
 * @tparam Executor  where completions run that have no executor of their own; an any_io_executor by
 *                   default.
 */
template <class T, class Executor>
using padding_queue = basic_queue<T, padding_store<T>, Executor>;

}  // namespace sluice
