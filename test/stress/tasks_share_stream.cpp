// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The reader and the writer of a WebSocket stream are two tasks on its strand. On strands of their
// own they would race inside of the stream, which the thread sanitizer reports.

#include "stress/races.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/feeder.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <utility>

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = boost::beast::websocket;
using asio::ip::tcp;

namespace tasks_share_stream {

constexpr int clients = 4;
constexpr int rounds = 150;  // of two messages and a ping
constexpr auto as_tuple = asio::as_tuple(asio::use_awaitable);

struct session
{
    explicit session(tcp::socket accepted) : stream(std::move(accepted)) {}

    websocket::stream<tcp::socket> stream;
    sluice::fifo_queue<std::string> out{
        stream.get_executor(),
        {.capacity = 16, .name = "out"}
    };
};

asio::awaitable<void> read(std::shared_ptr<session> s, sluice::feeder /*ends the output*/)
{
    beast::flat_buffer buffer;
    for (;;) {
        const auto [error, size] = co_await s->stream.async_read(buffer, as_tuple);
        if (error)
            break;
        co_await s->out.enqueue(beast::buffers_to_string(buffer.data()));
        buffer.consume(size);
    }
}

asio::awaitable<void> write(std::shared_ptr<session> s)
{
    while (auto message = co_await s->out.next())
        co_await s->stream.async_write(asio::buffer(*message), as_tuple);
}

asio::awaitable<void> accept(tcp::acceptor& acceptor, sluice::coordinator& tasks)
{
    for (;;) {
        const auto strand = asio::make_strand(acceptor.get_executor());
        auto s = std::make_shared<session>(
            co_await acceptor.async_accept(strand, asio::use_awaitable)
        );
        co_await s->stream.async_accept(asio::use_awaitable);
        sluice::feeder feeding{s->out};
        tasks.spawn(strand, "reader", read(s, std::move(feeding)));
        tasks.spawn(strand, "writer", write(std::move(s)));
    }
}

asio::awaitable<int> talk(tcp::endpoint server)
{
    websocket::stream<tcp::socket> stream(co_await asio::this_coro::executor);
    co_await stream.next_layer().async_connect(server, asio::use_awaitable);
    co_await stream.async_handshake("localhost", "/", asio::use_awaitable);
    int received = 0;
    beast::flat_buffer buffer;
    for (int i = 0; i != rounds; ++i) {
        for (const std::string text : {"hello", "again"})
            co_await stream.async_write(asio::buffer(text), asio::use_awaitable);
        for (int answer = 0; answer != 2; ++answer) {
            received += co_await stream.async_read(buffer, asio::use_awaitable) == 5 ? 1
                                                                                     : 0;
            buffer.clear();
        }
        co_await stream.async_ping({}, asio::use_awaitable);
    }
    co_await stream.async_close(websocket::close_code::normal, asio::use_awaitable);
    co_return received;
}

}  // namespace tasks_share_stream

BOOST_AUTO_TEST_SUITE(tasks_share_stream)

using namespace ::tasks_share_stream;

BOOST_AUTO_TEST_CASE(reader_and_writer_of_a_stream_on_its_strand_do_not_race)
{
    sluice::io_context_pool pool{3};
    sluice::coordinator server{pool};
    sluice::coordinator talking{pool};
    tcp::acceptor acceptor(pool.get_executor(), {asio::ip::address_v4::loopback(), 0});
    server.spawn("acceptor", accept(acceptor, server));
    std::atomic<int> received{0};
    for (int i = 0; i != clients; ++i)
        talking.spawn("client", [&]() -> asio::awaitable<void> {
            received += co_await talk(acceptor.local_endpoint());
        });

    pool.run(talking.async_join(asio::use_awaitable));
    server.request_stop();
    pool.run(server.async_join(asio::use_awaitable));

    BOOST_TEST(received == clients * rounds * 2);
}

BOOST_AUTO_TEST_SUITE_END()
