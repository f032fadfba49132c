// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice {

/// The order in which the elements of a queue leave it.
/**
 * A queue is a basic_queue over a store; a new order is a new store. A store is used
 * under the queue's lock only, so it needs no lock of its own, and knows neither capacity
 * nor waiters. Neither it nor what it calls of an element may use the queue:
 *
 * @li `options_type`, from which it is constructed; has at least `capacity` and `name`.
 * @li `push(T&&)` adds an element. It moves from its argument only if it succeeds.
 * @li `pop()` removes the element whose turn it is; called only if there is one.
 * @li `put_back(T&&)` returns an element that was popped, so that it is the next of its
 *     equals to leave. It does not allocate if `reserve()` made room.
 * @li `reserve(n)` makes room for n elements in all; it may throw and then changes nothing.
 * @li `size()`; `available(bool closed)`: how many may be popped now.
 * @li `whole_batches`: true if the elements of a batch must be stored at the same time.
 * @li `batch_type`: what a batch dequeue gives, constructible from `std::vector<T>&&`. If that
 *     throws it leaves the elements in the vector, and they return to the queue. To move a batch
 *     does not throw.
 *
 * One whose elements cannot throw when they are moved may pass many of them faster than one
 * by one, neither with a failure; before either of them room is made:
 *
 * @li `push_many(std::span<T>)` does as `push` to each of them.
 * @li `pop_many(std::vector<T>&, n)` appends what n times `pop` would give.
 *
 * With these the queue has members of the same names. Both leave room for n elements in all,
 * change nothing if they throw, and return what is destroyed without the lock:
 *
 * @li `clear(n)` takes out all elements.
 * @li `shrink_to_fit(n)` gives up memory.
 */
template <class Store, class T>
concept element_store =
    std::constructible_from<Store, const typename Store::options_type&> &&
    requires(Store store, const Store const_store, T element) {
        typename Store::batch_type;
        requires std::constructible_from<typename Store::batch_type, std::vector<T>&&>;
        requires std::is_nothrow_move_constructible_v<typename Store::batch_type>;
        { Store::whole_batches } -> std::convertible_to<bool>;
        store.push(std::move(element));
        store.put_back(std::move(element));
        { store.pop() } -> std::same_as<T>;
        store.reserve(std::size_t{});
        { const_store.size() } -> std::same_as<std::size_t>;
        { const_store.available(bool{}) } -> std::same_as<std::size_t>;
    };

}  // namespace sluice
