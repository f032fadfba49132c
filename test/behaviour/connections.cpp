// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Connections of Beast that a stop drains: each message that was accepted is answered, and the
// client sees an end, not a cut. The pattern is that of docs/guide/shutdown.md: the reader and the
// writer of a connection are two tasks on the strand of its stream.

#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/queue/feeder.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <utility>

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace test = sluice::test;
namespace websocket = boost::beast::websocket;
using asio::ip::tcp;
using test::record;

namespace connections {

constexpr auto as_tuple = asio::as_tuple(asio::use_awaitable);
constexpr int messages = 5;

// A connection with a client on the same context, and a gate that holds up the answers until the
// stop has come.
template <class Stream, class Message>
struct connection
{
    connection(asio::io_context& context, sluice::coordinator& tasks)
        : stream(tcp::socket(asio::make_strand(context))),
          client(context),
          out(stream.get_executor(), {.capacity = sluice::unbounded, .name = "out"}),
          gate(context, {.capacity = 1, .name = "gate"})
    {
        tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
        beast::get_lowest_layer(client).connect(acceptor.local_endpoint());
        acceptor.accept(beast::get_lowest_layer(stream));
        tasks.close_on_stop(out, sluice::close_mode::drain);
    }

    Stream stream;
    Stream client;
    sluice::fifo_queue<Message> out;
    sluice::fifo_queue<int> gate;
    int accepted = 0;
    int received = 0;
};

using web_socket = connection<websocket::stream<tcp::socket>, std::string>;
using http_request = http::request<http::string_body>;

struct http_connection : connection<tcp::socket, http_request>
{
    using connection::connection;
};

struct connections_fixture : test::io_fixture
{
    sluice::coordinator tasks{ctx};
};

// A WebSocket. A read that is cancelled would end the stream for the writer, too.

asio::awaitable<void> read(web_socket& socket, sluice::feeder feeding)
{
    beast::flat_buffer buffer;
    for (;;) {
        const auto [error, size] = co_await socket.stream.async_read(buffer, as_tuple);
        if (error)
            co_return;  // it is closed
        co_await socket.out.enqueue(beast::buffers_to_string(buffer.data()));
        ++socket.accepted;
        buffer.consume(size);
    }
}

asio::awaitable<void> write(web_socket& socket)
{
    co_await socket.gate.next();
    while (auto message = co_await socket.out.next())
        co_await socket.stream.async_write(asio::buffer(*message), asio::use_awaitable);
    co_await socket.stream.async_close(websocket::close_code::normal, as_tuple);
}

// Gives what the server closed it with; none if it was cut.
asio::awaitable<websocket::close_code> talk(web_socket& socket)
{
    auto& stream = socket.client;
    co_await stream.async_handshake("localhost", "/", asio::use_awaitable);
    const std::string text = "a message";
    for (int i = 0; i != messages; ++i)
        co_await stream.async_write(asio::buffer(text), asio::use_awaitable);
    beast::flat_buffer buffer;
    for (;; ++socket.received) {
        const auto [error, size] = co_await stream.async_read(buffer, as_tuple);
        if (error)
            co_return static_cast<websocket::close_code>(stream.reason().code);
        buffer.consume(size);
    }
}

// HTTP, one request after the other. A read that is cancelled leaves the socket as it is.

asio::awaitable<void> read(http_connection& connection, sluice::feeder feeding)
{
    beast::flat_buffer buffer;
    for (;;) {
        http_request request;
        const auto [error, size] =
            co_await http::async_read(connection.stream, buffer, request, as_tuple);
        if (error)
            co_return;  // the client has said all, or there is a stop
        co_await connection.out.enqueue(std::move(request));
        ++connection.accepted;
    }
}

asio::awaitable<void> write(http_connection& connection)
{
    co_await connection.gate.next();
    while (auto request = co_await connection.out.next()) {
        http::response<http::string_body> response(http::status::ok, request->version());
        response.body() = request->target();
        response.prepare_payload();
        co_await http::async_write(connection.stream, response, asio::use_awaitable);
    }
    connection.stream.shutdown(tcp::socket::shutdown_send);
}

asio::awaitable<beast::error_code> talk(http_connection& connection)
{
    http_request request(http::verb::get, "/a", 11);
    request.set(http::field::host, "localhost");
    for (int i = 0; i != messages; ++i)
        co_await http::async_write(connection.client, request, asio::use_awaitable);
    beast::flat_buffer buffer;
    for (;; ++connection.received) {
        http::response<http::string_body> response;
        const auto [error, size] =
            co_await http::async_read(connection.client, buffer, response, as_tuple);
        if (error)
            co_return error;
    }
}

}  // namespace connections

BOOST_FIXTURE_TEST_SUITE(connections, connections_fixture)

BOOST_AUTO_TEST_CASE(s49_stop_drains_a_web_socket_and_closes_it)
{
    web_socket socket(ctx, tasks);
    const auto client = spawn(talk(socket));
    const auto handshake = spawn(socket.stream.async_accept(asio::use_awaitable));
    run_until([&] { return handshake.done(); });
    const auto strand = socket.stream.get_executor();
    const auto none = asio::cancellation_type::none;
    tasks.spawn(
        {.name = "reader", .executor = strand, .on_stop = none},
        read(socket, sluice::feeder{socket.out})
    );
    tasks.spawn({.name = "writer", .executor = strand, .on_stop = none}, write(socket));
    run_until([&] { return socket.accepted == messages; });

    tasks.request_stop();
    const auto join = tasks.async_join(record);
    run();
    BOOST_TEST(socket.received == 0);
    socket.gate.close();
    run_until([&] { return join.done() && client.done(); });
    run();

    BOOST_TEST(socket.received == messages);
    BOOST_TEST((client.result() == websocket::close_code::normal));
    join.check_success();
}

// What on_stop is for: the same without it.
BOOST_AUTO_TEST_CASE(stop_that_reaches_the_reader_of_a_web_socket_ends_it_for_the_writer)
{
    web_socket socket(ctx, tasks);
    const auto client = spawn(talk(socket));
    const auto handshake = spawn(socket.stream.async_accept(asio::use_awaitable));
    run_until([&] { return handshake.done(); });
    const auto strand = socket.stream.get_executor();
    tasks.spawn(strand, "reader", read(socket, sluice::feeder{socket.out}));
    tasks.spawn(
        {.name = "writer", .executor = strand, .on_stop = asio::cancellation_type::none},
        write(socket)
    );
    run_until([&] { return socket.accepted == messages; });

    tasks.request_stop();
    run();
    socket.gate.close();
    const auto join = tasks.async_join(record);
    run_until([&] { return join.done(); });

    BOOST_TEST(socket.received == 0);
    beast::get_lowest_layer(socket.stream).close();
    run_until([&] { return client.done(); });
    run();
    BOOST_TEST((client.result() == websocket::close_code::none));
}

BOOST_AUTO_TEST_CASE(s49_stop_drains_an_http_connection)
{
    http_connection connection(ctx, tasks);
    const auto client = spawn(talk(connection));
    const auto strand = connection.stream.get_executor();
    tasks.spawn(strand, "reader", read(connection, sluice::feeder{connection.out}));
    tasks.spawn(
        {.name = "writer", .executor = strand, .on_stop = asio::cancellation_type::none},
        write(connection)
    );
    run_until([&] { return connection.accepted == messages; });

    tasks.request_stop();
    const auto join = tasks.async_join(record);
    run();
    BOOST_TEST(connection.received == 0);
    connection.gate.close();
    run_until([&] { return join.done() && client.done(); });
    run();

    BOOST_TEST(connection.received == messages);
    BOOST_TEST((client.result() == http::error::end_of_stream));
    join.check_success();
}

BOOST_AUTO_TEST_SUITE_END()
