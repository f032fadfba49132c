// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a TCP server that ends well: after SIGTERM it accepts no connection and reads no request,
// but it answers the request that it has read. An idle client does not hold that up.
// Expect: the answer to a request in the middle of which SIGTERM came, then the end.

#include "../co_main.hpp"

#include <boost/asio.hpp>

#include <csignal>
#include <iostream>
#include <string>
#include <utility>

using asio::ip::tcp;

//[graceful_shutdown
asio::awaitable<void> serve(const sluice::coordinator& tasks, tcp::socket client)
{
    constexpr auto as_tuple = asio::as_tuple(asio::use_awaitable);
    std::string input;
    auto buffer = asio::dynamic_buffer(input);
    while (!tasks.should_stop()) {  // a stop ends the next wait, and nothing after it
        co_await asio::this_coro::reset_cancellation_state();
        auto [error, size] =
            co_await asio::async_read_until(client, buffer, '\n', as_tuple);
        if (error)
            co_return;  // the client has gone, or there is a stop
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        std::raise(SIGTERM);  // as if at this moment
        const auto answer = "good night, " + input.substr(0, size);
        buffer.consume(size);
        co_await asio::async_write(client, asio::buffer(answer), asio::use_awaitable);
    }
}

asio::awaitable<void> accept(sluice::coordinator& tasks, tcp::acceptor& acceptor)
{
    for (;;) {
        auto client = co_await acceptor.async_accept(asio::use_awaitable);
        tasks.spawn("client", serve(tasks, std::move(client)));
    }
}
//]

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    tcp::acceptor acceptor{pool.get_executor(), {asio::ip::address_v4::loopback(), 0}};
    tcp::socket idle{pool.get_executor()}, client{pool.get_executor()};
    co_await idle.async_connect(acceptor.local_endpoint(), asio::use_awaitable);
    co_await client.async_connect(acceptor.local_endpoint(), asio::use_awaitable);
    co_await asio::async_write(client, asio::buffer("moon\n", 5), asio::use_awaitable);
    co_await sluice::with_tasks(pool, [&](auto& tasks) {
        tasks.request_stop_on_signal({SIGINT, SIGTERM});
        tasks.spawn("acceptor", accept(tasks, acceptor));
    });  // until the stop, and until the last answer
    std::string answer(17, ' ');
    co_await asio::async_read(client, asio::buffer(answer), asio::use_awaitable);
    std::cout << answer << "the server has ended\n";
}
