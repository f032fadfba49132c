// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/with_redis/drain_queue.hpp"

#include "pipeline_redis/element_codec.hpp"
#include <sluice/error.hpp>
#include <sluice/pipeline/json_value.hpp>
#include <sluice/redis/redis_connection.hpp>
#include <sluice/redis/redis_queue.hpp>

#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sluice::cli {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using pipeline::invalid_utf8;

namespace {

// Bytes as they are: what no pipeline can read is drained, too.
using raw_queue = redis::queue<std::string>;

constexpr std::size_t largest_batch = 100;
constexpr auto patience_for_server = 5s;
constexpr auto patience_for_returns = 3s;

raw_queue open(redis::connection& server, const redis::queue_info& which)
{
    raw_queue::priority_function priority;
    if (which.kind == redis::queue_kind::priority)
        priority = [](const std::string&) { return 0; };  // nothing is put
    return raw_queue(
        server,
        {.name = which.name,
         .capacity = which.status.capacity,
         .kind = which.kind,
         .max_deliveries = which.max_deliveries,
         .min_after_dequeue = which.min_after_dequeue,
         .retry_delay = which.retry_delay,
         .max_retry_delay = which.max_retry_delay},
        std::move(priority)
    );
}

// Empty if nothing waits, or nothing but what a shuffle queue keeps.
asio::awaitable<std::vector<redis::delivery<std::string>>> take(
    raw_queue& from,
    std::size_t most
)
{
    auto [error, taken] = co_await from.dequeue_some(most).within(0s).as_tuple();
    if (error.failed() && error != errc::timed_out && error != errc::end_of_queue)
        throw system_error(error);
    co_return std::move(taken);
}

}  // namespace

asio::awaitable<std::size_t> drain_queue(
    std::string url,
    redis::queue_info which,
    bool only_dead_letters,
    element_sink sink
)
{
    const std::size_t at_most = only_dead_letters ? which.status.dead_letters
                                                  : which.status.size;
    if (at_most == 0)
        co_return 0;
    redis::connection server(
        co_await asio::this_coro::executor,
        url,
        {.give_up_after = patience_for_server}
    );
    raw_queue queue = open(server, which);
    raw_queue from = only_dead_letters ? queue.dead_letters() : std::move(queue);
    // Asking once for elements would not wait for a connection.
    static_cast<void>(co_await from.status());
    std::size_t count = 0;
    while (count < at_most) {
        auto taken = co_await take(from, std::min(at_most - count, largest_batch));
        if (taken.empty())
            break;
        std::exception_ptr failure;
        try {
            for (const auto& each : taken)
                sink(each.value());
        } catch (...) {
            failure = std::current_exception();
        }
        if (failure) {
            for (auto& each : taken)
                each.forget();  // it is not to blame
            taken.clear();
            // what is returned is told to the server before the connection ends
            const auto [ignored] =
                co_await from.flush().within(patience_for_returns).as_tuple();
            static_cast<void>(ignored);
            std::rethrow_exception(failure);
        }
        co_await from.acknowledge(taken);
        count += taken.size();
    }
    co_return count;
}

std::string json_of_element(std::string_view bytes)
{
    pipeline::json_value value;
    try {
        value = pipeline::element_codec::decode(bytes).to_json();
    } catch (const std::runtime_error&) {
        value = bytes;
    }
    return pipeline::to_json_text(value, invalid_utf8::replace);
}

}  // namespace sluice::cli
