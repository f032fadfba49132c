// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows how a socket is read and written at the same time, on a pool of several threads: both
// directions of a connection are halves of one task, and so share its strand. Whatever else has
// something to send puts it into the queue of the connection, from any thread.
// Expect: the number of lines that came back to four clients, each of which also does both.

#include "../co_main.hpp"

#include <boost/asio.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>

#include <atomic>
#include <exception>
#include <iostream>
#include <string>
#include <utility>

using asio::ip::tcp;

constexpr int clients = 4;
constexpr int lines = 300;  // of each

//[two_directions
struct connection
{
    tcp::socket socket;
    sluice::fifo_queue<std::string> answers{
        socket.get_executor(),
        {.capacity = 16, .name = "answers"}
    };
};

asio::awaitable<void> read(connection& client)
{
    constexpr auto as_tuple = asio::as_tuple(asio::use_awaitable);
    std::string input;
    for (;;) {
        auto buffer = asio::dynamic_buffer(input, 4096);
        auto [error, length] =
            co_await asio::async_read_until(client.socket, buffer, '\n', as_tuple);
        if (error)
            break;  // the client has said all or has gone, or there is a stop
        std::string line = input.substr(0, length);
        input.erase(0, length);
        // Waits while the client is slow.
        co_await client.answers.enqueue(std::move(line));
    }
    client.answers.close();  // the writer sends what is left, and ends
}

asio::awaitable<void> write(connection& client)
{
    while (auto answer = co_await client.answers.next())
        co_await asio::async_write(
            client.socket,
            asio::buffer(*answer),
            asio::use_awaitable
        );
}

// One task, and so one strand. && waits for both; if one of them fails it cancels the other.
asio::awaitable<void> serve(tcp::socket accepted)
{
    using namespace asio::experimental::awaitable_operators;
    connection client{std::move(accepted)};
    try {
        co_await (read(client) && write(client));
    } catch (const std::exception&) {
        // this client has gone, which is no error of the others; or there is a stop
    }
}

asio::awaitable<void> accept_clients(tcp::acceptor& acceptor, sluice::coordinator& tasks)
{
    for (;;) {
        auto accepted = co_await acceptor.async_accept(asio::use_awaitable);
        tasks.spawn("connection", serve(std::move(accepted)));
    }
}
//]

asio::awaitable<void> send(tcp::socket& socket)
{
    const std::string line = "good morning\n";
    for (int i = 0; i < lines; ++i)
        co_await asio::async_write(socket, asio::buffer(line), asio::use_awaitable);
    socket.shutdown(tcp::socket::shutdown_send);
}

asio::awaitable<void> receive(tcp::socket& socket, std::atomic<int>& received)
{
    std::string input;
    for (int i = 0; i < lines; ++i) {
        auto buffer = asio::dynamic_buffer(input);
        const auto length =
            co_await asio::async_read_until(socket, buffer, '\n', asio::use_awaitable);
        input.erase(0, length);
        ++received;
    }
}

asio::awaitable<void> talk(tcp::endpoint server, std::atomic<int>& received)
{
    using namespace asio::experimental::awaitable_operators;
    tcp::socket socket{co_await asio::this_coro::executor};
    co_await socket.async_connect(server, asio::use_awaitable);
    co_await (send(socket) && receive(socket, received));
}

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    tcp::acceptor acceptor{pool.get_executor(), {asio::ip::address_v4::loopback(), 0}};
    sluice::coordinator server{pool};
    server.spawn("acceptor", accept_clients(acceptor, server));

    std::atomic<int> received = 0;
    sluice::coordinator talking{pool};
    for (int i = 0; i < clients; ++i)
        talking.spawn("client", talk(acceptor.local_endpoint(), received));
    co_await talking.join();
    std::cout << received << " lines came back to " << clients << " clients\n";

    server.request_stop();
    co_await server.join();
}
