// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a socket that is read and written at the same time, on a pool of several threads: the
// connection is a scope on the strand of its socket, with two tasks and a queue between them.
// Expect: what a client has sent, which comes back.

#include "../co_main.hpp"

#include <boost/asio.hpp>

#include <iostream>
#include <string>
#include <utility>

using asio::ip::tcp;
using text_queue = sluice::fifo_queue<std::string>;

//[two_directions
asio::awaitable<void> read(tcp::socket& socket, text_queue& answers, sluice::feeder)
{
    constexpr auto as_tuple = asio::as_tuple(asio::use_awaitable);
    std::string input;
    auto buffer = asio::dynamic_buffer(input, 4096);
    for (;;) {
        auto [error, size] =
            co_await asio::async_read_until(socket, buffer, '\n', as_tuple);
        if (error)
            co_return;  // the client has said all or has gone; the feeder closes the queue
        std::string line = input.substr(0, size);
        buffer.consume(size);
        co_await answers.enqueue(std::move(line));  // waits while the client is slow
    }
}

asio::awaitable<void> write(tcp::socket& socket, text_queue& answers)
{
    while (const auto answer = co_await answers.next())
        co_await asio::async_write(socket, asio::buffer(*answer), asio::use_awaitable);
}

// The socket has a strand, and both tasks run on it. If one fails, the scope stops the other.
asio::awaitable<void> serve(tcp::socket socket)
{
    text_queue answers{socket.get_executor(), {.capacity = 16, .name = "answers"}};
    co_await sluice::with_tasks(socket.get_executor(), [&](auto& tasks) {
        tasks.spawn("reader", read(socket, answers, sluice::feeder{answers}));
        tasks.spawn("writer", write(socket, answers));
    });
}
//]

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    tcp::acceptor acceptor{pool.get_executor(), {asio::ip::address_v4::loopback(), 0}};
    tcp::socket client{pool.get_executor()};
    co_await client.async_connect(acceptor.local_endpoint(), asio::use_awaitable);
    const auto strand = asio::make_strand(pool.get_executor());
    tcp::socket accepted = co_await acceptor.async_accept(strand, asio::use_awaitable);
    std::string text = "one\ntwo\n";
    co_await asio::async_write(client, asio::buffer(text), asio::use_awaitable);
    client.shutdown(tcp::socket::shutdown_send);
    co_await serve(std::move(accepted));
    co_await asio::async_read(client, asio::buffer(text), asio::use_awaitable);
    std::cout << text;
}
