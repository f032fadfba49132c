// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows an Asio service with a bounded queue between its connections and its workers,
// back-pressure included, a clean drain on SIGINT, and a live page of all that. See
// echo_service.hpp; echo_load tries it under load.
// Expect: the addresses; after Ctrl-C, how many requests were accepted and answered.
// Options: [PORT] [--page PORT] [--clients N]; port 0, the default: the system chooses; clients
// of its own keep it busy.
// Try it:  nc 127.0.0.1 PORT

#include "echo_service.hpp"

#include "../co_main.hpp"
#include <sluice/report.hpp>

#include <boost/asio.hpp>

#include <cstddef>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

using asio::ip::tcp;

struct settings
{
    unsigned short port = 0;
    unsigned short page = 0;
    int clients = 0;
};

int to_number(std::string_view text, int most)
{
    const int number = std::stoi(std::string{text});
    if (number < 0 || number > most)
        throw std::runtime_error("a number must be from 0 to " + std::to_string(most));
    return number;
}

settings parse(const arguments& args)
{
    settings result;
    for (std::size_t i = 0; i < args.size(); ++i) {
        const bool has_value = args[i].starts_with("--");
        if (has_value && i + 1 == args.size())
            throw std::runtime_error(std::string{args[i]} + " needs a number");
        if (args[i] == "--page")
            result.page = static_cast<unsigned short>(to_number(args[++i], 65535));
        else if (args[i] == "--clients")
            result.clients = to_number(args[++i], 1000);
        else
            result.port = static_cast<unsigned short>(to_number(args[i], 65535));
    }
    return result;
}

// Sends a request after the other until the service goes away.
asio::awaitable<void> send_requests(tcp::endpoint service)
{
    try {
        tcp::socket socket{co_await asio::this_coro::executor};
        co_await socket.async_connect(service, asio::use_awaitable);
        std::string line = "hello\n";
        for (;;) {
            co_await asio::async_write(socket, asio::buffer(line), asio::use_awaitable);
            co_await asio::async_read(socket, asio::buffer(line), asio::use_awaitable);
        }
    } catch (const boost::system::system_error&) {
        // it has closed the connection
    }
}

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments args)
{
    const settings chosen = parse(args);
    echo_service service{pool, chosen.port};
    std::cout << "listening on " << service.endpoint() << std::endl;

    //[live_page
    sluice::monitor watch{pool, {.name = "echo"}};
    watch.add(service.requests());  // a queue
    watch.add(service.tasks());     // a coordinator
    const sluice::live_page page = watch.serve({.port = chosen.page});
    std::cout << "live page: " << page.url() << std::endl;
    //]

    sluice::coordinator clients{pool};
    watch.add(clients, "clients");
    for (int i = 0; i < chosen.clients; ++i)
        clients.spawn("client", send_requests(service.endpoint()));
    co_await service.run();
    clients.request_stop();
    co_await clients.join();
    std::cout << service.accepted() << " requests accepted, " << service.answered()
              << " answered\n";
}
