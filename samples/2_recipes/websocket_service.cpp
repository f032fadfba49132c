// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a WebSocket that is read and written at the same time, and drained by a stop: its reader
// and its writer are two tasks on the strand of the stream, each with a name in reports.
// Expect: what the two tasks wait for; then that each message which was accepted came back,
// although a stop came meanwhile, and how the server closed the connection.

#include "../co_main.hpp"

#include <boost/asio.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>

#include <atomic>
#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

namespace beast = boost::beast;
namespace websocket = boost::beast::websocket;
using asio::ip::tcp;
using namespace std::chrono_literals;

constexpr int messages = 1000;
std::atomic<int> accepted = 0;

//[websocket
struct connection
{
    explicit connection(tcp::socket socket) : stream{std::move(socket)} {}

    websocket::stream<tcp::socket> stream;
    sluice::fifo_queue<std::string> answers{
        stream.get_executor(),
        {.capacity = 16, .name = "answers"}
    };
};

// The feeder closes the queue when the reader ends, for whatever reason.
asio::awaitable<void> read(
    std::shared_ptr<connection> client,
    [[maybe_unused]] sluice::feeder feeding
)
{
    beast::flat_buffer buffer;
    for (;;) {
        const auto [error, size] = co_await client->stream.async_read(
            buffer,
            asio::as_tuple(asio::use_awaitable)
        );
        if (error)
            co_return;  // the connection has been closed
        std::string text = beast::buffers_to_string(buffer.data());
        buffer.consume(size);
        co_await client->answers.enqueue(std::move(text));  // after a stop: queue_closed
        ++accepted;
    }
}

// Ends the connection when all is written; the reader gets to know that from the stream.
asio::awaitable<void> write(std::shared_ptr<connection> client)
{
    try {
        while (auto answer = co_await client->answers.next())
            co_await client->stream.async_write(
                asio::buffer(*answer),
                asio::use_awaitable
            );
        co_await client->stream.async_close(
            websocket::close_code::going_away,
            asio::use_awaitable
        );
    } catch (const boost::system::system_error&) {
        beast::get_lowest_layer(client->stream).close();  // the client has gone
    }
}

// A stop closes the queue, and cancels neither task: to cancel the read would end the stream.
void serve(std::shared_ptr<connection> client, sluice::coordinator& tasks)
{
    const auto strand = client->stream.get_executor();
    const auto unheard = asio::cancellation_type::none;
    tasks.close_on_stop(client->answers, sluice::close_mode::drain);
    tasks.spawn(
        {.name = "writer", .executor = strand, .on_stop = unheard},
        write(client)
    );
    sluice::feeder feeding{client->answers};
    tasks.spawn(
        {.name = "reader", .executor = strand, .on_stop = unheard},
        read(client, std::move(feeding))
    );
}

asio::awaitable<void> accept_clients(tcp::acceptor& acceptor, sluice::coordinator& tasks)
{
    for (;;) {
        const auto strand = asio::make_strand(acceptor.get_executor());
        auto client = std::make_shared<connection>(
            co_await acceptor.async_accept(strand, asio::use_awaitable)
        );
        client->stream
            .set_option(  // a client that does not answer the close is left then
                websocket::stream_base::timeout::suggested(beast::role_type::server)
            );
        co_await client->stream.async_accept(asio::use_awaitable);
        serve(std::move(client), tasks);
    }
}
//]

asio::awaitable<void> send(websocket::stream<tcp::socket>& stream)
{
    const std::string text = "good morning";
    for (int i = 0; i < messages; ++i) {
        const auto [error, size] = co_await stream.async_write(
            asio::buffer(text),
            asio::as_tuple(asio::use_awaitable)
        );
        if (error)
            co_return;  // the server has closed the connection
    }
}

// Until the server closes the connection.
asio::awaitable<int> receive(
    websocket::stream<tcp::socket>& stream,
    sluice::coordinator& server
)
{
    beast::flat_buffer buffer;
    for (int received = 0;; ++received) {
        const auto [error, size] =
            co_await stream.async_read(buffer, asio::as_tuple(asio::use_awaitable));
        if (error)
            co_return received;
        buffer.consume(size);
        if (received == messages / 10)
            server.request_stop();
    }
}

// Waits until the tasks of a new connection do, and prints what they wait for.
asio::awaitable<void> print_tasks(const sluice::coordinator& server)
{
    for (bool is_seen = false; !is_seen;) {
        co_await sluice::sleep_for(1ms);
        for (const sluice::task_info& task : server.tasks())
            is_seen = is_seen || task.waiting_on.starts_with("next");
    }
    for (const sluice::task_info& task : server.tasks())
        std::cout << task.name << ": "
                  << (task.waiting_on.empty() ? "something else" : task.waiting_on)
                  << '\n';
}

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    tcp::acceptor acceptor{pool.get_executor(), {asio::ip::address_v4::loopback(), 0}};
    sluice::coordinator server{pool};
    server.spawn("acceptor", accept_clients(acceptor, server));

    websocket::stream<tcp::socket> stream{asio::make_strand(pool.get_executor())};
    co_await stream.next_layer().async_connect(
        acceptor.local_endpoint(),
        asio::use_awaitable
    );
    co_await stream.async_handshake("localhost", "/", asio::use_awaitable);
    co_await print_tasks(server);

    sluice::coordinator client{pool};
    client.spawn(stream.get_executor(), "sender", send(stream));
    const auto receiver =
        client.spawn(stream.get_executor(), "receiver", receive(stream, server));
    const int received = co_await receiver.result();
    co_await client.join();
    co_await server.join();

    std::cout << "each accepted message came back: "
              << (received == accepted && received > 0 ? "yes" : "no") << '\n'
              << "the server is going away: "
              << (stream.reason().code == websocket::close_code::going_away ? "yes" : "no"
                 )
              << '\n';
}
