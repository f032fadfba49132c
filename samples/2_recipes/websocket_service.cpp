// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a WebSocket that is read and written at the same time, and drained by a stop: a connection
// is a scope on the strand of its stream, with a reader, a writer, and a queue between them.
// Expect: that each message which was accepted came back, although a stop came meanwhile, and how
// the server closed the connection.

#include "../co_main.hpp"

#include <boost/asio.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>

#include <atomic>
#include <iostream>
#include <string>
#include <utility>

namespace beast = boost::beast;
namespace websocket = boost::beast::websocket;
using asio::ip::tcp;
using web_socket = websocket::stream<tcp::socket>;
using text_queue = sluice::fifo_queue<std::string>;

constexpr auto as_tuple = asio::as_tuple(asio::use_awaitable);
std::atomic<int> accepted = 0;

//[websocket
// The feeder closes the queue when the reader ends, for whatever reason.
asio::awaitable<void> read(web_socket& client, text_queue& answers, sluice::feeder)
{
    for (beast::flat_buffer buffer;; buffer.clear()) {
        const auto [error, size] = co_await client.async_read(buffer, as_tuple);
        if (error)
            co_return;  // the connection has been closed
        std::string text = beast::buffers_to_string(buffer.data());
        co_await answers.enqueue(std::move(text));  // after a stop: queue_closed
        ++accepted;
    }
}

// Ends the connection when all is written; the reader gets to know that from the stream.
asio::awaitable<void> write(web_socket& client, text_queue& answers)
{
    while (const auto answer = co_await answers.next())
        co_await client.async_write(asio::buffer(*answer), asio::use_awaitable);
    co_await client.async_close(websocket::close_code::going_away, asio::use_awaitable);
}

// A stop of the server closes the queue, and cancels nothing: that would end the stream.
asio::awaitable<void> serve(sluice::coordinator& server, tcp::socket socket)
{
    web_socket client{std::move(socket)};
    client.set_option(  // a client that does not answer the close is left then
        websocket::stream_base::timeout::suggested(beast::role_type::server)
    );
    text_queue answers{client.get_executor(), {.capacity = 16, .name = "answers"}};
    server.close_on_stop(answers, sluice::close_mode::drain);
    try {
        co_await client.async_accept(asio::use_awaitable);
        co_await sluice::with_tasks(client.get_executor(), [&](auto& tasks) {
            tasks.spawn("writer", write(client, answers));
            tasks.spawn("reader", read(client, answers, sluice::feeder{answers}));
        });
    } catch (const boost::system::system_error&) {
        // The client has gone, which is no error of the others.
    }
}

asio::awaitable<void> accept_clients(tcp::acceptor& acceptor, sluice::coordinator& server)
{
    for (;;) {
        const auto strand = asio::make_strand(acceptor.get_executor());
        auto socket = co_await acceptor.async_accept(strand, asio::use_awaitable);
        server.spawn(
            {.name = "client",
             .executor = strand,
             .on_stop = asio::cancellation_type::none},
            serve(server, std::move(socket))
        );
    }
}
//]

// Both until the server closes the connection.
asio::awaitable<void> send(web_socket& connection)
{
    const std::string text = "good morning";
    for (bool is_open = true; is_open;) {
        const auto [error, size] =
            co_await connection.async_write(asio::buffer(text), as_tuple);
        is_open = !error;
    }
}

asio::awaitable<int> receive(web_socket& connection, sluice::coordinator& server)
{
    for (int received = 0;; ++received) {
        beast::flat_buffer buffer;
        const auto [error, size] = co_await connection.async_read(buffer, as_tuple);
        if (error)
            co_return received;
        if (received == 100)
            server.request_stop();
    }
}

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    tcp::acceptor acceptor{pool.get_executor(), {asio::ip::address_v4::loopback(), 0}};
    sluice::coordinator server{pool};
    server.spawn("acceptor", accept_clients(acceptor, server));

    web_socket connection{asio::make_strand(pool.get_executor())};
    const auto address = acceptor.local_endpoint();
    co_await connection.next_layer().async_connect(address, asio::use_awaitable);
    co_await connection.async_handshake("localhost", "/", asio::use_awaitable);
    const auto talk = [&](auto& client) {
        client.spawn("sender", send(connection));
        return receive(connection, server);
    };
    const int received = co_await sluice::with_tasks(connection.get_executor(), talk);
    co_await server.join();

    const bool is_going = connection.reason().code == websocket::close_code::going_away;
    std::cout << "each accepted message came back: "
              << (received == accepted && received > 100 ? "yes" : "no") << '\n'
              << "the server is going away: " << (is_going ? "yes" : "no") << '\n';
}
