// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/redis/processes.hpp"

namespace sluice::test {
namespace {

std::string new_name()
{
    static int last = 0;
    return "case" + std::to_string(++last);
}

}  // namespace

two_processes::two_processes(std::string server, const redis::connection_options& first)
    : name(new_name())
{
    a.emplace(ctx, server, first);
    b.emplace(ctx, server, quick_connection);
}

// Neither leaves anything behind.
two_processes::~two_processes()
{
    a.reset();
    b.reset();
    run_until([this] { return ctx.stopped(); });
}

std::unique_ptr<two_processes::queue> two_processes::open(
    int process,
    redis::queue_options options
)
{
    options.name = name;
    return std::make_unique<queue>(process == 1 ? *a : *b, options);
}

std::unique_ptr<two_processes::queue> two_processes::open(
    int process,
    std::size_t capacity
)
{
    return open(process, {.name = {}, .capacity = capacity});
}

void two_processes::put(queue& q, int value)
{
    run_until_done(putting(q, value));
}

void two_processes::put_many(queue& q, std::vector<int> values)
{
    run_until_done(putting_many(q, std::move(values)));
}

int two_processes::take(queue& q)
{
    return run_until_done(taking(q));
}

std::vector<int> two_processes::take_up_to(queue& q, std::size_t count)
{
    return run_until_done(
        [](queue& from, std::size_t n) -> asio::awaitable<std::vector<int>> {
            auto batch = co_await from.dequeue_up_to(n);
            auto values = values_of(batch);
            co_await from.acknowledge(batch);
            co_return values;
        }(q, count)
    );
}

std::vector<int> two_processes::take_some(queue& q, std::size_t count)
{
    return run_until_done(
        [](queue& from, std::size_t n) -> asio::awaitable<std::vector<int>> {
            auto batch = co_await from.dequeue_some(n);
            auto values = values_of(batch);
            co_await from.acknowledge(batch);
            co_return values;
        }(q, count)
    );
}

std::optional<int> two_processes::take_within(queue& q, std::chrono::milliseconds limit)
{
    return run_until_done(
        [](queue& from,
           std::chrono::milliseconds time) -> asio::awaitable<std::optional<int>> {
            auto [error, taken] = co_await from.dequeue().within(time).as_tuple();
            if (error == errc::timed_out)
                co_return std::nullopt;
            co_await taken.value().acknowledge();
            co_return taken->value();
        }(q, limit)
    );
}

bool two_processes::take_next(queue& q)
{
    return run_until_done([](queue& from) -> asio::awaitable<bool> {
        auto taken = co_await from.next();
        if (taken)
            co_await taken->acknowledge();
        co_return taken.has_value();
    }(q));
}

bool two_processes::put_within(queue& q, int value, std::chrono::milliseconds limit)
{
    return run_until_done(
        [](queue& to, int element, std::chrono::milliseconds time
        ) -> asio::awaitable<bool> {
            auto [error] = co_await to.enqueue(element).within(time).as_tuple();
            check(!error.failed() || error == errc::timed_out, error.message());
            co_return !error.failed();
        }(q, value, limit)
    );
}

redis::delivery<int> two_processes::lease(queue& q)
{
    return run_until_done(leasing(q));
}

void two_processes::acknowledge(redis::delivery<int>& taken)
{
    run_until_done(acknowledging(taken));
}

void two_processes::close(queue& q)
{
    run_until_done([](queue& closed) -> asio::awaitable<void> {
        co_await closed.close();
    }(q));
}

redis::queue_status two_processes::status(queue& q)
{
    return run_until_done([](queue& asked) -> asio::awaitable<redis::queue_status> {
        co_return co_await asked.status();
    }(q));
}

std::size_t two_processes::size(queue& q)
{
    return run_until_done([](queue& asked) -> asio::awaitable<std::size_t> {
        co_return co_await asked.size();
    }(q));
}

asio::awaitable<void> two_processes::putting(queue& q, int value)
{
    co_await q.enqueue(value);
}

asio::awaitable<void> two_processes::putting_many(queue& q, std::vector<int> values)
{
    co_await q.enqueue_many(values);
}

asio::awaitable<int> two_processes::taking(queue& q)
{
    auto taken = co_await q.dequeue();
    co_await taken.acknowledge();
    co_return taken.value();
}

asio::awaitable<std::vector<int>> two_processes::taking_many(queue& q, std::size_t count)
{
    auto batch = co_await q.dequeue_many(count);
    auto values = values_of(batch);
    co_await q.acknowledge(batch);
    co_return values;
}

asio::awaitable<void> two_processes::acknowledging(redis::delivery<int>& taken)
{
    co_await taken.acknowledge();
}

asio::awaitable<std::vector<int>> two_processes::lingering_for(
    queue& q,
    std::size_t count,
    std::chrono::milliseconds time
)
{
    auto batch = co_await q.dequeue_up_to(count).linger(time);
    auto values = values_of(batch);
    co_await q.acknowledge(batch);
    co_return values;
}

asio::awaitable<redis::delivery<int>> two_processes::leasing(queue& q)
{
    co_return co_await q.dequeue();
}

std::vector<int> values_of(const std::vector<redis::delivery<int>>& batch)
{
    std::vector<int> values;
    for (const auto& each : batch)
        values.push_back(each.value());
    return values;
}

}  // namespace sluice::test
