// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/fwd.hpp>
#include <sluice/queue/basic_queue.hpp>
#include <sluice/queue/shuffle_store.hpp>

namespace sluice {

/// A bounded queue whose elements leave in random order.
/**
 * Training on examples in the order of their files biases a model; loading all of them to
 * shuffle takes too much memory. This queue chooses each element that leaves at random among
 * those stored, and `min_after_dequeue` keeps enough of them for a good choice: while the
 * queue is open, that many are not available to consumers. The rules are those of
 * TensorFlow's RandomShuffleQueue.
 *
 * @par Example
 * @code
 * sluice::shuffle_queue<example> examples{
 *     pool,
 *     {.capacity = 1024, .min_after_dequeue = 512, .seed = 42, .name = "examples"}
 * };
 * train(co_await examples.dequeue_many(32));
 * @endcode
 *
 * @par Ordering         each stored element is as likely as any other. The same seed and the
 *                       same operations in the same order give the same elements on every
 *                       platform. What a cancellation returns is shuffled again.
 * @par Closing          `min_after_dequeue` counts for nothing once the queue is closed, so
 *                       that consumers get the rest.
 * @par Object lifetime  as basic_queue.
 * @par Thread safety    as basic_queue.
 *
 * @tparam T         the elements: their move constructor cannot throw.
 * @tparam Executor  where completions run that have no executor of their own; an any_io_executor by
 *                   default.
 */
template <class T, class Executor>
using shuffle_queue = basic_queue<T, shuffle_store<T>, Executor>;

}  // namespace sluice
