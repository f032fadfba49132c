// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <concepts>

#include <sluice/coordination/coordinator.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/element_store.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/padding_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/shuffle_queue.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Which types are accepted, and which are not.

namespace {

namespace asio = boost::asio;
using namespace sluice;

struct plain_row
{
    int value;
};

struct row_with_padding
{
    std::vector<int> values;
    friend void pad_rows(std::span<row_with_padding>);
};

struct not_a_store
{
    using options_type = queue_options;
};

// Stores ------------------------------------------------------------------------------------

static_assert(element_store<fifo_store<int>, int>);
static_assert(element_store<fifo_store<std::unique_ptr<int>>, std::unique_ptr<int>>);
static_assert(element_store<shuffle_store<std::string>, std::string>);
static_assert(element_store<priority_store<int, std::less<>>, int>);
static_assert(element_store<padding_store<std::vector<float>>, std::vector<float>>);
static_assert(!element_store<fifo_store<int>, std::string>);
static_assert(!element_store<not_a_store, int>);
static_assert(!element_store<std::vector<int>, int>);

// Rows that can be padded -------------------------------------------------------------------

static_assert(resizable_range<std::vector<int>>);
static_assert(resizable_range<std::string>);
static_assert(!resizable_range<int>);
static_assert(!resizable_range<std::array<int, 2>>);
static_assert(paddable<std::vector<int>>);
static_assert(paddable<row_with_padding>);
static_assert(!paddable<plain_row>);

// Construction ------------------------------------------------------------------------------

using queue = fifo_queue<int>;

static_assert(std::constructible_from<queue, asio::thread_pool&, queue_options>);
static_assert(std::constructible_from<queue, io_context_pool&, queue_options>);
static_assert(std::constructible_from<queue, asio::any_io_executor, queue_options>);
static_assert(std::constructible_from<queue, asio::io_context&, queue_options>);
static_assert(std::constructible_from<
              fifo_queue<int, asio::io_context::executor_type>,
              io_context_pool&,
              queue_options>);
static_assert(!std::constructible_from<queue, int, queue_options>);
static_assert(!std::constructible_from<queue, std::string&, queue_options>);

// The capacity has to be said.
static_assert(!std::default_initializable<queue_options>);
static_assert(!std::default_initializable<shuffle_queue_options>);
static_assert(std::convertible_to<decltype(unbounded), queue_capacity>);
static_assert(!std::convertible_to<bool, queue_capacity>);
static_assert(!std::constructible_from<queue, asio::io_context&, shuffle_queue_options>);
static_assert(std::constructible_from<
              shuffle_queue<int>,
              asio::io_context&,
              shuffle_queue_options>);
static_assert(!std::constructible_from<
              fifo_queue<int, asio::io_context::executor_type>,
              asio::thread_pool&,
              queue_options>);
static_assert(std::constructible_from<coordinator, asio::io_context&>);
static_assert(std::constructible_from<coordinator, io_context_pool&>);
static_assert(std::constructible_from<coordinator, coordinator&>);

// Operations that wait refer to the inside of a queue, which stays where it is when that moves.
static_assert(!std::copy_constructible<queue> && std::is_nothrow_move_constructible_v<queue>);
static_assert(!std::is_copy_assignable_v<queue> && std::is_nothrow_move_assignable_v<queue>);
static_assert(!std::copy_constructible<coordinator> && !std::move_constructible<coordinator>);

// An operation is used once, and one that refers to its argument where it was made.
using owning = decltype(std::declval<queue&>().dequeue());
using borrowing = decltype(std::declval<queue&>().enqueue(1));
static_assert(!std::copy_constructible<owning> && std::move_constructible<owning>);
static_assert(!std::copy_constructible<borrowing> && !std::move_constructible<borrowing>);

// Members -----------------------------------------------------------------------------------

static_assert(noexcept(std::declval<coordinator&>().request_stop()));

static_assert(std::same_as<queue::value_type, int>);
static_assert(std::same_as<queue::executor_type, asio::any_io_executor>);
static_assert(std::same_as<queue::batch_type, std::vector<int>>);
static_assert(std::derived_from<
              padding_queue<std::vector<int>>::batch_type,
              std::vector<std::vector<int>>>);

template <class Queue, class Argument>
concept can_enqueue = requires(Queue& q, Argument&& argument) {
    q.enqueue(std::forward<Argument>(argument));
};

template <class Queue, class Argument>
concept can_try_enqueue = requires(Queue& q, Argument&& argument) {
    { q.try_enqueue(std::forward<Argument>(argument)) } -> std::same_as<bool>;
};

static_assert(can_enqueue<fifo_queue<std::string>, std::string>);
static_assert(can_enqueue<fifo_queue<std::string>, std::string&>);
static_assert(can_enqueue<fifo_queue<std::string>, const std::string&>);
static_assert(can_enqueue<fifo_queue<std::unique_ptr<int>>, std::unique_ptr<int>>);
static_assert(!can_enqueue<fifo_queue<std::unique_ptr<int>>, std::unique_ptr<int>&>);
static_assert(!can_enqueue<
              fifo_queue<std::unique_ptr<int>>,
              const std::unique_ptr<int>&>);
static_assert(!can_enqueue<fifo_queue<int>, std::string>);
static_assert(can_try_enqueue<fifo_queue<std::string>, std::string>);
static_assert(can_try_enqueue<fifo_queue<std::string>, const std::string&>);
static_assert(!can_try_enqueue<
              fifo_queue<std::unique_ptr<int>>,
              const std::unique_ptr<int>&>);

}  // namespace
