// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows how a socket is read and written at the same time, on a pool of several threads: the
// reader and the writer of a connection are two tasks on the strand of its socket. Whatever else
// has something to send puts it into the queue of the connection, from any thread.
// Expect: the number of lines that came back to four clients. Each of them also does both, as two
// halves of one task, which share its strand.

#include "../co_main.hpp"

#include <boost/asio.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>

#include <atomic>
#include <iostream>
#include <memory>
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

// The feeder closes the queue when the reader ends; the writer sends what is left, and ends.
asio::awaitable<void> read(
    std::shared_ptr<connection> client,
    [[maybe_unused]] sluice::feeder feeding
)
{
    constexpr auto as_tuple = asio::as_tuple(asio::use_awaitable);
    std::string input;
    for (;;) {
        auto buffer = asio::dynamic_buffer(input, 4096);
        auto [error, length] =
            co_await asio::async_read_until(client->socket, buffer, '\n', as_tuple);
        if (error)
            co_return;  // the client has said all or has gone, or there is a stop
        std::string line = input.substr(0, length);
        input.erase(0, length);
        // Waits while the client is slow.
        co_await client->answers.enqueue(std::move(line));
    }
}

asio::awaitable<void> write(std::shared_ptr<connection> client)
{
    try {
        while (auto answer = co_await client->answers.next()) {
            const auto buffer = asio::buffer(*answer);
            co_await asio::async_write(client->socket, buffer, asio::use_awaitable);
        }
    } catch (const boost::system::system_error&) {
        // This client has gone, which is no error of the others; or there is a stop.
        client->socket.close();
        client->answers.close(sluice::close_mode::cancel_pending
        );  // the reader ends, too
    }
}

asio::awaitable<void> accept_clients(tcp::acceptor& acceptor, sluice::coordinator& tasks)
{
    for (;;) {
        // The socket has a strand, and both tasks of the connection run on it.
        const auto strand = asio::make_strand(acceptor.get_executor());
        auto client = std::make_shared<connection>(
            co_await acceptor.async_accept(strand, asio::use_awaitable)
        );
        sluice::feeder feeding{client->answers};
        tasks.spawn(strand, "reader", read(client, std::move(feeding)));
        tasks.spawn(strand, "writer", write(client));
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
