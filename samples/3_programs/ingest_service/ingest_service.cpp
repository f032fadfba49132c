// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a service with a socket on one side and a database on the other. Clients post events over
// HTTP, a bounded queue takes them, and a writer brings them into PostgreSQL in batches. A client
// hears 201 after the commit, 429 if the queue is full, and 503 while the database is away. SIGTERM
// ends the intake, and requests that have been read are still answered. A second port has the live
// page, /metrics and /healthz.
// Expect: the addresses; after SIGTERM or Ctrl-C the end.
// Options: --database CONNINFO, as libpq reads it; --port N and --page N (default: the system
// chooses); --capacity N of the queue.
// Try it:  psql -c "CREATE TABLE events (key text PRIMARY KEY, event jsonb NOT NULL)" test
//          sample_ingest_service --database "host=/run/postgresql dbname=test" --port 8080 &
//          curl -d '{"key": "order-17", "total": 99.95}' http://127.0.0.1:8080/events

#include "../../co_main.hpp"
#include "event_writer.hpp"
#include "http_intake.hpp"
#include "incoming_event.hpp"
#include <sluice/report.hpp>

#include <charconv>
#include <csignal>
#include <cstddef>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

using options = std::map<std::string_view, std::string_view>;

options parse(const arguments& args)
{
    options chosen{
        {"--database", ""},
        {"--port", "0"},
        {"--page", "0"},
        {"--capacity", "256"}
    };
    for (std::size_t i = 0; i < args.size(); i += 2) {
        const auto option = chosen.find(args[i]);
        if (option == chosen.end() || i + 1 == args.size())
            throw std::runtime_error(std::string{args[i]} + ": unknown, or no value");
        option->second = args[i + 1];
    }
    return chosen;
}

unsigned short number_of(const options& chosen, std::string_view name)
{
    const std::string_view text = chosen.at(name);
    unsigned short number = 0;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
    if (error != std::errc{} || end != text.end())
        throw std::runtime_error(std::string{name} + " takes a number from 0 to 65535");
    return number;
}

//[run
asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments args)
{
    const options chosen = parse(args);
    event_queue events{
        pool,
        {.capacity = number_of(chosen, "--capacity"), .name = "events"}
    };
    asio::ip::tcp::acceptor acceptor{
        pool.get_executor(),
        {asio::ip::address_v4::loopback(), number_of(chosen, "--port")}
    };
    std::cout << "listening on " << acceptor.local_endpoint() << std::endl;

    sluice::monitor watch{pool, {.name = "ingest"}};
    watch.add(events);
    const auto page = watch.serve({.port = number_of(chosen, "--page")});
    std::cout << "live page: " << page.url() << std::endl;

    co_await sluice::with_tasks(pool, [&](auto& service) -> asio::awaitable<void> {
        watch.add(service);
        const std::string database{chosen.at("--database")};
        service.spawn("writer", write_events(events, database));
        co_await sluice::with_tasks(service, [&](auto& intake) {
            intake.request_stop_on_signal({SIGINT, SIGTERM});
            intake.spawn("acceptor", accept_clients(intake, acceptor, events));
        });  // until the signal, and until the last client has its answer
        service.request_stop();  // the writer, for which no client waits any more
    });
}
//]
