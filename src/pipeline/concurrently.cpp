// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/concurrently.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <exception>
#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

// What the two ended with, the one that ended first first.
using ends = std::array<std::exception_ptr, 2>;

template <class Condition>
asio::awaitable<ends> run(
    asio::awaitable<void> a,
    asio::awaitable<void> b,
    Condition cancel_the_other
)
{
    const auto executor = co_await asio::this_coro::executor;
    auto group = asio::experimental::make_parallel_group(
        asio::co_spawn(executor, std::move(a), asio::deferred),
        asio::co_spawn(executor, std::move(b), asio::deferred)
    );
    auto [order, end_of_a, end_of_b] =
        co_await group.async_wait(cancel_the_other, asio::use_awaitable);
    co_return order[0] == 0 ? ends{end_of_a, end_of_b} : ends{end_of_b, end_of_a};
}

}  // namespace

asio::awaitable<void> both(asio::awaitable<void> a, asio::awaitable<void> b)
{
    const ends ended = co_await run(
        std::move(a),
        std::move(b),
        asio::experimental::wait_for_one_error()
    );
    for (const std::exception_ptr& each : ended)
        if (each)
            std::rethrow_exception(each);
}

asio::awaitable<void> either(asio::awaitable<void> a, asio::awaitable<void> b)
{
    const ends ended =
        co_await run(std::move(a), std::move(b), asio::experimental::wait_for_one());
    if (ended.front())
        std::rethrow_exception(ended.front());
}

}  // namespace sluice::pipeline
