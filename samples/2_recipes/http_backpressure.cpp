// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows back-pressure to HTTP clients: the server never waits for room in its queue. If that is
// full, the client gets 429 and comes again later.
// Expect: two requests that are taken, one that is refused, and one after a job is done.

#include "../co_main.hpp"

#include <boost/asio.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <iostream>
#include <string>
#include <utility>

namespace http = boost::beast::http;
using asio::ip::tcp;
using text_queue = sluice::fifo_queue<std::string>;

//[http_backpressure
asio::awaitable<void> serve(tcp::acceptor& acceptor, text_queue& jobs)
{
    for (;;) {
        tcp::socket client = co_await acceptor.async_accept(asio::use_awaitable);
        boost::beast::flat_buffer buffer;
        http::request<http::string_body> asked;
        co_await http::async_read(client, buffer, asked, asio::use_awaitable);
        http::response<http::empty_body> answer{http::status::accepted, 11};
        if (!jobs.try_enqueue(std::move(asked.body()))) {
            answer.result(http::status::too_many_requests);
            answer.set(http::field::retry_after, "1");  // second
        }
        answer.prepare_payload();
        co_await http::async_write(client, answer, asio::use_awaitable);
    }
}
//]

asio::awaitable<void> post(tcp::endpoint server)
{
    tcp::socket socket{co_await asio::this_coro::executor};
    co_await socket.async_connect(server, asio::use_awaitable);
    http::request<http::string_body> asked{http::verb::post, "/", 11, "a job"};
    asked.prepare_payload();
    co_await http::async_write(socket, asked, asio::use_awaitable);
    boost::beast::flat_buffer buffer;
    http::response<http::string_body> answer;
    co_await http::async_read(socket, buffer, answer, asio::use_awaitable);
    std::cout << answer.result_int() << '\n';
}

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    text_queue jobs{pool, {.capacity = 2}};
    tcp::acceptor acceptor{pool.get_executor(), {asio::ip::address_v4::loopback(), 0}};
    co_await sluice::with_tasks(pool, [&](auto& tasks) -> asio::awaitable<void> {
        tasks.spawn("server", serve(acceptor, jobs));
        for (int i = 1; i <= 4; ++i) {
            if (i == 4)
                std::cout << co_await jobs.dequeue() << " is done\n";
            co_await post(acceptor.local_endpoint());
        }
        tasks.request_stop();
    });
}
