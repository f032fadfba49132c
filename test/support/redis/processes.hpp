// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "support/io_fixture.hpp"
#include "support/redis/redis_server.hpp"
#include <sluice/redis/redis_connection.hpp>
#include <sluice/redis/redis_queue.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice::test {

/// Times that are short, for tests.
inline constexpr redis::connection_options quick_connection{
    .first_pause = std::chrono::milliseconds(5),
    .longest_pause = std::chrono::milliseconds(20),
    .poll_interval = std::chrono::milliseconds(50)
};

/// Two processes, as the server sees it: what one does the other learns from the server.
struct two_processes : io_fixture
{
    using queue = redis::queue<int>;

    explicit two_processes(
        std::string server = redis_server_fixture::shared_server().url(),
        const redis::connection_options& first = quick_connection
    );
    ~two_processes();

    /// A queue of this case, in the first or second process.
    std::unique_ptr<queue> open(int process, redis::queue_options options);
    std::unique_ptr<queue> open(int process, std::size_t capacity = 10);

    /// All commands that were given before have been answered.
    void settle_with(queue& q) { (void)status(q); }

    // What the cases do, each waiting for its end.
    void put(queue& q, int value);
    void put_many(queue& q, std::vector<int> values);
    int take(queue& q);
    std::vector<int> take_up_to(queue& q, std::size_t count);
    std::vector<int> take_some(queue& q, std::size_t count);
    std::optional<int> take_within(queue& q, std::chrono::milliseconds limit);
    bool take_next(queue& q);
    bool put_within(queue& q, int value, std::chrono::milliseconds limit);
    redis::delivery<int> lease(queue& q);
    void acknowledge(redis::delivery<int>& taken);
    void close(queue& q);
    redis::queue_status status(queue& q);
    std::size_t size(queue& q);

    // As coroutines, to be spawned.
    static asio::awaitable<void> putting(queue& q, int value);
    static asio::awaitable<void> putting_many(queue& q, std::vector<int> values);
    static asio::awaitable<int> taking(queue& q);
    static asio::awaitable<std::vector<int>> taking_many(queue& q, std::size_t count);
    static asio::awaitable<redis::delivery<int>> leasing(queue& q);
    static asio::awaitable<void> acknowledging(redis::delivery<int>& taken);
    static asio::awaitable<std::vector<int>> lingering_for(
        queue& q,
        std::size_t count,
        std::chrono::milliseconds time
    );

    const std::string name;
    std::optional<redis::connection> a;
    std::optional<redis::connection> b;
};

/// The values of deliveries.
std::vector<int> values_of(const std::vector<redis::delivery<int>>& batch);

}  // namespace sluice::test
