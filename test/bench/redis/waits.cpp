// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/redis/waits.hpp"

#include <sluice/io_context_pool.hpp>
#include <sluice/redis/redis_connection.hpp>
#include <sluice/redis/redis_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <deque>
#include <exception>
#include <stdexcept>

namespace sluice::bench {
namespace {

namespace asio = boost::asio;
using asio::awaitable;
using remote = redis::queue<std::string>;

awaitable<void> wait(remote& queue, std::size_t& ended)
{
    // An exception costs many times as much as a wait.
    const auto result = co_await queue.dequeue().as_tuple();
    static_cast<void>(result);
    ++ended;
}

}  // namespace

double cancel_waits(const std::string& socket, std::size_t count)
{
    using clock = std::chrono::steady_clock;
    io_context_pool pool(1);
    redis::connection connection(pool, "unix:" + socket);
    remote queue(connection, {.name = "bench_waits", .capacity = 16});
    std::deque<asio::cancellation_signal> signals(count);
    std::chrono::duration<double, std::nano> taken{};
    pool.run([&]() -> awaitable<void> {
        std::size_t ended = 0;
        for (asio::cancellation_signal& signal : signals)
            asio::co_spawn(
                pool.get_executor(),
                wait(queue, ended),
                asio::bind_cancellation_slot(signal.slot(), [](std::exception_ptr) {})
            );
        // Twice, and the server has answered the first of the waits, too.
        for (int i = 0; i < 2; ++i)
            (void)co_await queue.status();
        if (ended != 0)
            throw std::runtime_error("a benchmark has not blocked");
        const auto begin = clock::now();
        // the last first: to look for them from the front takes long
        for (std::size_t i = count; i > 0; --i)
            signals[i - 1].emit(asio::cancellation_type::terminal);
        while (ended < count)
            co_await asio::post(asio::use_awaitable);
        taken = clock::now() - begin;
    });
    return taken.count();
}

}  // namespace sluice::bench
