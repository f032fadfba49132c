// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/coordinator.hpp>
#include <sluice/queue/broadcast.hpp>
#include <sluice/queue/event.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/latest_value.hpp>
#include <sluice/queue/padding_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/select.hpp>
#include <sluice/queue/semaphore.hpp>
#include <sluice/queue/shuffle_queue.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

// Every operation with every completion token, and the types of the results that have a name.
// Nothing here runs.

namespace {

namespace asio = boost::asio;
using namespace sluice;

using io_executor = asio::io_context::executor_type;
using use_awaitable_executor =
    asio::use_awaitable_t<>::executor_with_default<io_executor>;

// Starts an operation of each signature; `make_token` makes the token of each.
template <class Queue, class MakeToken>
void start_some(Queue& q, MakeToken make_token)
{
    std::vector<typename Queue::value_type> rows;
    (void)q.async_enqueue_many(rows, make_token());
    (void)q.async_dequeue(make_token());
    (void)q.async_dequeue_some(1, make_token());
    (void)select(q.dequeue(), q.dequeue_some(1))(make_token());
}

// Starts an operation of each kind.
template <class Queue, class MakeToken>
void start_all(Queue& q, MakeToken make_token)
{
    using element = typename Queue::value_type;
    std::vector<element> rows;
    (void)q.async_enqueue(element{}, make_token());
    (void)q.async_enqueue_many(std::span<element>(rows), make_token());
    (void)q.async_dequeue(make_token());
    (void)q.async_next(make_token());
    (void)q.async_dequeue_many(1, make_token());
    (void)q.async_dequeue_up_to(1, make_token());
    (void)q.async_dequeue_some(1, make_token());
    (void)q.dequeue().within(std::chrono::seconds(1))(make_token());
    (void)select(q.dequeue(), q.dequeue_some(1), q.emplace())(make_token());
    (void)q.emplace()(make_token());
    (void)q.async_reserve(make_token());
    (void)dequeue_any(std::array{&q, &q})(make_token());
}

template <class MakeToken>
void start_some(coordinator& coord, MakeToken make_token)
{
    (void)coord.async_wait_for_stop(make_token());
    (void)coord.async_join(make_token());
}

template <class MakeToken>
void start_some(queue_runner& runner, MakeToken make_token)
{
    (void)runner.async_join(make_token());
}

template <class MakeToken>
void start_some(semaphore& permits, MakeToken make_token)
{
    (void)permits.async_acquire(make_token());
    (void)permits.async_acquire(2, make_token());
}

template <class MakeToken>
void start_some(event& ready, MakeToken make_token)
{
    (void)ready.async_wait(make_token());
}

template <class MakeToken>
void start_some(latest_value<int>& price, MakeToken make_token)
{
    static std::uint64_t seen = 0;
    (void)price.async_next(seen, make_token());
}

template <class MakeToken>
void start_some(broadcast<int>& news, MakeToken make_token)
{
    const int number = 1;
    (void)news.async_publish(1, make_token());
    (void)news.async_publish(number, make_token());
}

// A handler that takes whatever an operation gives.
struct any_handler
{
    template <class... Arguments>
    void operator()(Arguments&&...) const
    {
    }
};

// A handler that cannot be copied.
struct move_only_handler : any_handler
{
    std::unique_ptr<int> owned;
};

template <class Target>
[[maybe_unused]] void each_kind_of_token(Target& target)
{
    start_some(target, [] { return asio::use_awaitable; });
    start_some(target, [] { return asio::use_future; });
    start_some(target, [] { return move_only_handler{}; });
}

// Once is enough: from an operation a token sees the signature only.
template <class Target>
[[maybe_unused]] void every_token(Target& target)
{
    each_kind_of_token(target);
    start_some(target, [] { return asio::use_awaitable_t<io_executor>{}; });
    start_some(target, [] { return asio::as_tuple(asio::use_awaitable); });
    start_some(target, [] { return asio::deferred; });
    start_some(target, [] { return asio::detached; });
    start_some(target, [] { return any_handler{}; });
    start_some(target, [] {
        return asio::bind_executor(asio::system_executor(), any_handler{});
    });
    start_some(target, [] {
        return asio::bind_executor(asio::any_io_executor(), asio::use_awaitable);
    });
    start_some(target, [] {
        return asio::bind_allocator(std::allocator<void>(), move_only_handler{});
    });
    start_some(target, [] {
        return asio::bind_cancellation_slot(asio::cancellation_slot(), asio::use_future);
    });
}

[[maybe_unused]] void every_queue(
    fifo_queue<int>& fifo,
    shuffle_queue<int>& shuffle,
    priority_queue<int>& priority,
    padding_queue<std::vector<int>>& padding,
    fifo_queue<int, io_executor>& of_executor,
    fifo_queue<int, asio::strand<io_executor>>& of_strand,
    coordinator& coord,
    queue_runner& runner,
    semaphore& permits,
    broadcast<int>& news,
    event& ready,
    latest_value<int>& price
)
{
    every_token(fifo);
    start_all(fifo, [] { return asio::use_awaitable; });
    start_all(fifo, [] { return move_only_handler{}; });
    // differs from the first by its store only, as the next one
    start_some(shuffle, [] { return asio::use_awaitable; });
    start_some(priority, [] { return asio::use_future; });
    start_all(padding, [] { return asio::deferred; });
    start_some(of_executor, [] { return any_handler{}; });
    start_some(of_strand, [] { return asio::use_awaitable; });
    every_token(coord);  // whose join() has an exception
    each_kind_of_token(runner);
    each_kind_of_token(permits);
    each_kind_of_token(news);
    each_kind_of_token(ready);
    each_kind_of_token(price);
    // redirect_error takes an error_code, so join(), which has an exception, is not for it.
    start_some(fifo, [] {
        static error_code error;
        return asio::redirect_error(asio::use_awaitable, error);
    });
    static error_code error;
    (void)coord.async_wait_for_stop(asio::redirect_error(asio::use_awaitable, error));
}

// The default token is that of the executor.
[[maybe_unused]] void default_tokens(
    fifo_queue<int, use_awaitable_executor>& q,
    std::vector<int>& rows
)
{
    static_assert(std::same_as<
                  decltype(q.async_dequeue()),
                  asio::awaitable<std::optional<int>>>);
    static_assert(std::same_as<decltype(q.async_enqueue(1)), asio::awaitable<void>>);
    static_assert(std::same_as<
                  decltype(q.async_enqueue_many(rows)),
                  asio::awaitable<std::size_t>>);
    static_assert(std::same_as<
                  decltype(q.async_dequeue_many(1)),
                  asio::awaitable<std::vector<int>>>);
    (void)q.async_next();
    (void)q.async_dequeue_up_to(1);
    (void)q.async_dequeue_some(1);
}

// Executors have no default token of their own before Boost 1.82: then it is deferred.
[[maybe_unused]] asio::awaitable<void> without_a_token(
    fifo_queue<int>& q,
    std::vector<int>& rows
)
{
    co_await q.async_enqueue(1);
    static_assert(std::same_as<decltype(co_await q.async_dequeue()), std::optional<int>>);
    static_assert(std::same_as<
                  decltype(co_await q.async_enqueue_many(rows)),
                  std::size_t>);
    (void)co_await q.async_dequeue();
}

// A queue whose operations have another token by default.
[[maybe_unused]] asio::awaitable<void> with_another_token(fifo_queue<int, io_executor>& q)
{
    using tuples = asio::as_tuple_t<asio::use_awaitable_t<>>;
    auto rebound = tuples::as_default_on(std::move(q));
    auto [error, item] = co_await rebound.async_dequeue();
    static_assert(std::same_as<decltype(item), std::optional<int>>);
}

// What a token gives.
[[maybe_unused]] void results(
    fifo_queue<int>& q,
    coordinator& coord,
    broadcast<int>& news,
    std::vector<int>& rows
)
{
    using asio::use_awaitable;
    using asio::use_future;
    static_assert(std::same_as<
                  decltype(q.async_dequeue(use_future)),
                  std::future<std::optional<int>>>);
    static_assert(std::same_as<
                  decltype(q.async_enqueue_many(rows, use_future)),
                  std::future<std::size_t>>);
    static_assert(std::same_as<
                  decltype(q.async_dequeue(asio::as_tuple(use_awaitable))),
                  asio::awaitable<std::tuple<error_code, std::optional<int>>>>);
    static_assert(std::same_as<
                  decltype(q.async_dequeue_some(1, use_awaitable)),
                  asio::awaitable<std::vector<int>>>);
    static_assert(std::same_as<
                  decltype(select(q.dequeue(), q.emplace(1))(use_awaitable)),
                  asio::awaitable<std::tuple<
                      std::size_t,
                      std::optional<std::variant<int, std::monostate>>>>>);
    static_assert(std::same_as<
                  decltype(dequeue_any(std::array{&q})(use_awaitable)),
                  asio::awaitable<std::tuple<std::size_t, std::optional<int>>>>);
    static_assert(std::same_as<
                  decltype(coord.async_join(use_awaitable)),
                  asio::awaitable<void>>);
    static_assert(std::same_as<
                  decltype(coord.spawn(
                      "count",
                      std::declval<asio::awaitable<int>>(),
                      use_future
                  )),
                  std::future<int>>);
    static_assert(std::same_as<
                  decltype(news.async_publish(1, use_future)),
                  std::future<std::size_t>>);
    static_assert(std::same_as<decltype(q.async_dequeue(asio::detached)), void>);
    (void)coord.async_join();
    (void)coord.async_wait_for_stop();
}

}  // namespace
