// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a service with a socket on one side and a database on the other. Clients post events over
// HTTP, a bounded queue takes them, and a writer brings them into PostgreSQL in batches. A client
// gets 429 if the queue is full, and 503 while the database is away. SIGTERM ends the intake and
// drains the queue within a limit. A second port has the live page, /metrics and /healthz.
// Expect: the addresses; after SIGTERM or Ctrl-C what became of the events, and status 1 if some
// were lost.
// Options: --database CONNINFO, as libpq reads it; --port N and --page N (default: the system
// chooses); --answer after-commit; --capacity N of the queue; --drain-limit SECONDS.
// Try it:  sample_ingest_service --database "host=/run/postgresql dbname=test" --port 8080 &
//          curl -d '{"key": "order-17", "total": 99.95}' http://127.0.0.1:8080/events

#include "../../co_main.hpp"
#include "event_writer.hpp"
#include "http_intake.hpp"
#include "incoming_event.hpp"
#include <sluice/report.hpp>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

struct settings
{
    std::string database;
    unsigned short port = 0;
    unsigned short page = 0;
    answer_time answer = answer_time::when_queued;
    std::size_t capacity = 10'000;
    std::chrono::seconds drain_limit{15};
};

std::size_t to_number(std::string_view text, std::size_t least, std::size_t most)
{
    const std::size_t number = std::stoul(std::string{text});
    if (number < least || number > most)
        throw std::runtime_error(
            "a number must be from " + std::to_string(least) + " to " +
            std::to_string(most)
        );
    return number;
}

settings parse(const arguments& args)
{
    settings chosen;
    for (std::size_t i = 0; i < args.size(); i += 2) {
        if (i + 1 == args.size())
            throw std::runtime_error(std::string{args[i]} + " needs a value");
        const std::string_view value = args[i + 1];
        if (args[i] == "--database")
            chosen.database = value;
        else if (args[i] == "--port")
            chosen.port = static_cast<unsigned short>(to_number(value, 0, 65535));
        else if (args[i] == "--page")
            chosen.page = static_cast<unsigned short>(to_number(value, 0, 65535));
        else if (args[i] == "--answer" && value == "after-commit")
            chosen.answer = answer_time::after_commit;
        else if (args[i] == "--capacity")
            chosen.capacity = to_number(value, 1, 10'000'000);
        else if (args[i] == "--drain-limit")
            chosen.drain_limit = std::chrono::seconds{to_number(value, 0, 3600)};
        else
            throw std::runtime_error("unknown option " + std::string{args[i]});
    }
    return chosen;
}

//[run
asio::awaitable<void> run(
    sluice::io_context_pool& pool,
    const settings& chosen,
    ingest_status& status
)
{
    event_queue events{
        pool,
        {.capacity = chosen.capacity, .weight_limit = 16 << 20, .name = "events"}
    };
    http_intake clients{pool.get_executor(), chosen.port, events, status, chosen.answer};
    std::cout << "listening on " << clients.endpoint() << std::endl;

    sluice::monitor watch{pool, {.name = "ingest"}};
    watch.add(events);
    const sluice::live_page page = watch.serve({.port = chosen.page});
    std::cout << "live page: " << page.url() << std::endl;

    co_await sluice::with_tasks(pool, [&](auto& service) -> asio::awaitable<void> {
        watch.add(service);
        const sluice::task_handle<> writer = service.spawn(
            "writer",
            write_events(events, status, chosen.database, chosen.answer)
        );
        co_await sluice::with_tasks(service, [&](auto& intake) {
            intake.request_stop_on_signal({SIGINT, SIGTERM});
            intake.close_on_stop(events, sluice::close_mode::drain);
            intake.spawn("acceptor", clients.run(intake));
        });  // until the signal, and until the last client has its answer

        const auto [error] = co_await writer.join().within(chosen.drain_limit).as_tuple();
        if (error == sluice::errc::timed_out)
            service.request_stop();  // the writer, too
    });
}
//]

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments args)
{
    const settings chosen = parse(args);
    ingest_status status;
    co_await run(pool, chosen, status);
    std::cout << status.accepted << " accepted: " << status.stored << " stored, "
              << status.known << " known, " << status.refused << " refused, "
              << status.returned << " returned, " << status.lost() << " lost\n";
    if (status.lost() > 0)
        throw std::runtime_error("the drain limit has passed");
}
