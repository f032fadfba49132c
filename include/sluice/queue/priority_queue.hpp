// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/basic_queue.hpp>
#include <sluice/queue/priority_store.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <functional>

namespace sluice {

/// A bounded queue whose smallest element leaves first.
/**
 * For work that must not wait behind less urgent work which came before it. A batch is
 * sorted, because its elements leave at one time; so dequeue_many() and dequeue_up_to() wait
 * until that many are stored, and more than the capacity is errc::invalid_argument. In
 * TensorFlow's PriorityQueue such a request waits for ever, and the order of equals is
 * unspecified.
 *
 * @par Example
 * @code
 * sluice::priority_queue<job, by_deadline> jobs{pool, {.capacity = 100}};
 * run(co_await jobs.dequeue());
 * @endcode
 *
 * @par Ordering         smallest first by `Compare`, first come, first served among equals; an
 *                       element that a cancellation returned is in front of its equals.
 *                       Producers that wait for room are served in their order, whatever they
 *                       bring.
 * @par Closing          as basic_queue.
 * @par Object lifetime  as basic_queue.
 * @par Thread safety    as basic_queue.
 *
 * @tparam T         the elements: their move constructor cannot throw.
 * @tparam Compare   a strict weak ordering; default-constructible, called under the lock of the
 *                   queue, so it must not use that queue, not even size(). If it throws, the
 *                   operation fails with that exception, and no element is lost.
 * @tparam Executor  where completions run that have no executor of their own.
 */
template <
    class T,
    class Compare = std::less<>,
    class Executor = boost::asio::any_io_executor>
using priority_queue = basic_queue<T, priority_store<T, Compare>, Executor>;

}  // namespace sluice
