// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows an Asio service with a bounded queue between its connections and its workers,
// back-pressure included, and a clean drain on SIGINT. See echo_service.hpp; echo_load
// tries it under load.
// Expect: the address; after Ctrl-C, how many requests were accepted and answered.
// Options: the port (default: the system chooses).
// Try it:  nc 127.0.0.1 PORT

#include "echo_service.hpp"

#include "../co_main.hpp"

#include <iostream>
#include <stdexcept>
#include <string>

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments args)
{
    const int port = args.empty() ? 0 : std::stoi(std::string{args.front()});
    if (port < 0 || port > 65535)
        throw std::runtime_error("the port must be from 0 to 65535");
    echo_service service{pool, static_cast<unsigned short>(port)};
    std::cout << "listening on " << service.endpoint() << std::endl;
    co_await service.run();
    std::cout << service.accepted() << " requests accepted, " << service.answered()
              << " answered\n";
}
