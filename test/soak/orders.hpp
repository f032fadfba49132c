// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "soak/market.hpp"
#include "support/stored.hpp"
#include <sluice/error.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace sluice::soak {

using strand = boost::asio::strand<boost::asio::io_context::executor_type>;

enum class kind : unsigned char
{
    enqueue,
    enqueue_many,
    dequeue,
    next,
    dequeue_many,
    dequeue_up_to,
    dequeue_some,
    linger  // dequeue_up_to, for a while
};
inline constexpr std::size_t kinds = 8;

/// One operation, as it was drawn by lot.
struct order
{
    kind what;
    std::size_t count;                               // of a batch
    std::optional<std::chrono::microseconds> limit;  // none: waits until it is cancelled
    std::chrono::microseconds linger;                // of a batch that does
    bool lets_go;                                    // does not keep its queue alive

    // For those that are started and left alone: after how many turns of the strand.
    std::optional<unsigned> cancelled_after;
    boost::asio::cancellation_type how = boost::asio::cancellation_type::terminal;
};

/// Kept by what runs on its own, so that there is not too much of it.
using ticket = std::shared_ptr<void>;

// The doors to the same operations. -------------------------------------------------------

/// The members that do not wait.
void try_order(const any_stall& where, const order& what);

/// A coroutine of type asio::awaitable.
boost::asio::awaitable<void> await_order(any_stall where, order what);

/// Such a coroutine, started on the strand and perhaps cancelled.
void spawn_order(const strand& on, any_stall where, const order& what, ticket kept);

/// A completion handler, perhaps cancelled.
void call_order(const strand& on, const any_stall& where, const order& what, ticket kept);

/// A coroutine that is not Asio's, perhaps cancelled or destroyed while it waits.
void foreign_order(
    const strand& on,
    const any_stall& where,
    const order& what,
    ticket kept
);

/// select with three branches.
boost::asio::awaitable<void> select_order(
    stall_ptr<fifo> first,
    any_stall second,
    stall_ptr<fifo> third,
    order what
);

/// dequeue_any of three queues.
boost::asio::awaitable<void> any_order(
    stall_ptr<fifo> first,
    stall_ptr<fifo> second,
    stall_ptr<fifo> third,
    order what
);

/// `a || b`, two receives raced with each other.
boost::asio::awaitable<void> race_order(stall_ptr<fifo> first, stall_ptr<fifo> second);

// What they share. ------------------------------------------------------------------------

/// How many elements the operation brings.
[[nodiscard]] constexpr std::size_t offered(const order& what) noexcept
{
    if (what.what == kind::enqueue_many)
        return what.count;
    return what.what == kind::enqueue ? 1 : 0;
}

/// With the time limit of the order, if it has one; else it may wait for ever.
template <class Operation>
auto limited(Operation&& operation, const order& what)
{
    using limit = decltype(what.limit)::value_type;
    return test::stored(std::forward<Operation>(operation))
        .within(what.limit.value_or(limit::max()));
}

/// Enters the outcome of a dequeue; next() may have neither an error nor an element.
void receive(
    ledger& book,
    const order& what,
    error_code error,
    std::optional<element> item
);

/// Enters the outcome of a batch dequeue.
void receive(
    ledger& book,
    const order& what,
    error_code error,
    std::vector<element> batch
);

/// Keeps a queue alive until the coroutine that runs on the strand now is suspended.
template <class Queue>
void keep_until_suspended(const strand& on, stall_ptr<Queue> held)
{
    boost::asio::post(on, [held = std::move(held)] {});
}

/// Calls `function` after so many turns of the strand.
template <class Function>
void after(const strand& on, unsigned turns, Function function)
{
    boost::asio::post(on, [on, turns, function = std::move(function)]() mutable {
        if (turns == 0)
            function();
        else
            after(on, turns - 1, std::move(function));
    });
}

}  // namespace sluice::soak
