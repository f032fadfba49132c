// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Tries echo_service with real sockets under load: 50 connections send 200 requests each.
// Expect: "10000 accepted, 10000 answered, 10000 replies", then "clean exit".
// With --interrupt-after N: SIGINT is raised as soon as N replies have come, while other
// requests are under way. The numbers are smaller then, but equal: what the service had
// accepted was answered.

#include "../co_main.hpp"
#include "echo_service.hpp"

#include <boost/asio.hpp>

#include <atomic>
#include <csignal>
#include <iostream>
#include <stdexcept>
#include <string>

using asio::ip::tcp;

constexpr int connections = 50;
constexpr int requests_each = 200;

asio::awaitable<void> send_requests(
    tcp::endpoint service,
    int client,
    std::atomic<int>& replies,
    int interrupt_after
)
{
    try {
        tcp::socket socket{co_await asio::this_coro::executor};
        co_await socket.async_connect(service, asio::use_awaitable);
        for (int i = 0; i < requests_each; ++i) {
            const auto line = std::to_string(client) + ' ' + std::to_string(i) + '\n';
            co_await asio::async_write(socket, asio::buffer(line), asio::use_awaitable);
            std::string reply;
            co_await asio::async_read_until(
                socket,
                asio::dynamic_buffer(reply),
                '\n',
                asio::use_awaitable
            );
            if (reply != line)
                throw std::runtime_error("sent " + line + "received " + reply);
            if (++replies == interrupt_after)
                std::raise(SIGINT);
        }
    } catch (const boost::system::system_error&) {
        // The service stops and has closed this connection.
    }
}

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments args)
{
    int interrupt_after = connections * requests_each;
    if (args.size() == 2 && args[0] == "--interrupt-after")
        interrupt_after = std::stoi(std::string{args[1]});
    else if (!args.empty())
        throw std::runtime_error("usage: sample_echo_load [--interrupt-after N]");
    if (interrupt_after < 1 || interrupt_after > connections * requests_each)
        throw std::runtime_error("there are 1 to 10000 replies after which to interrupt");

    echo_service service{pool, 0};
    std::atomic<int> replies = 0;
    sluice::coordinator clients{pool};
    for (int i = 0; i < connections; ++i) {
        clients.spawn(
            "client",
            send_requests(service.endpoint(), i, replies, interrupt_after)
        );
    }
    co_await service.run();
    co_await clients.join();

    std::cout << service.accepted() << " accepted, " << service.answered()
              << " answered, " << replies << " replies\n";
    if (service.accepted() != service.answered() || service.answered() != replies)
        throw std::runtime_error("a request was lost");
    std::cout << "clean exit\n";
}
