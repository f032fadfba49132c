// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: P10

#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/padding_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/select.hpp>
#include <sluice/queue/shuffle_queue.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

// The least that an element must offer is a move constructor. It needs no assignment in
// fifo_queue and padding_queue, no default constructor and no comparison but where elements
// are ordered. Nothing here runs.

namespace {

namespace asio = boost::asio;
using namespace sluice;

// The least of all.
class movable
{
public:
    explicit movable(int) {}
    movable(movable&&) = default;
    movable& operator=(movable&&) = delete;

    friend void pad_rows(std::span<movable> /*rows*/) noexcept {}
};

// As much as is needed to change places with another.
class assignable
{
public:
    explicit assignable(int) {}
    assignable(assignable&&) = default;
    assignable& operator=(assignable&&) = default;

    friend bool operator<(const assignable&, const assignable&) noexcept { return false; }
};

template <class Queue>
asio::awaitable<void> every_operation(Queue& q)
{
    using element = typename Queue::value_type;
    using asio::use_awaitable;
    element one(1);
    std::vector<element> rows;
    (void)q.try_enqueue(element(1));
    (void)q.try_enqueue_many(rows);
    (void)q.try_dequeue();
    (void)q.try_dequeue_many(1);
    co_await q.enqueue(std::move(one));
    (void)co_await q.enqueue_many(rows);
    [[maybe_unused]] const element taken = co_await q.dequeue();
    [[maybe_unused]] const std::optional<element> next = co_await q.next();
    (void)co_await q.dequeue_many(1);
    (void)co_await q.dequeue_up_to(1).as_tuple();
    (void)co_await q.dequeue_some(1).as_tuple();
    co_await q.async_enqueue(element(1), use_awaitable);
    (void)co_await q.async_dequeue(use_awaitable);
    (void)co_await q.async_dequeue(asio::as_tuple(use_awaitable));
    (void)co_await q.async_dequeue_many(1, use_awaitable);
    (void)co_await select(q.dequeue(), q.enqueue(element(1)));
    (void)co_await select(q.dequeue(), q.dequeue_many(1)).as_tuple();
    (void)co_await dequeue_any(std::array{&q});
}

[[maybe_unused]] void every_queue(
    fifo_queue<movable>& fifo,
    padding_queue<movable>& padding,
    shuffle_queue<assignable>& shuffle,
    priority_queue<assignable>& priority
)
{
    (void)every_operation(fifo);
    (void)every_operation(padding);
    (void)every_operation(shuffle);
    (void)every_operation(priority);
}

// A vector of flags has neither references nor a span.
[[maybe_unused]] asio::awaitable<void> batches_of_flags(fifo_queue<bool>& flags)
{
    co_await flags.enqueue(true);
    (void)flags.try_dequeue_many(1);
    (void)co_await flags.dequeue_many(1);
    (void)co_await flags.dequeue_some(1).as_tuple();
}

}  // namespace
