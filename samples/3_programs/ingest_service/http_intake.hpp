// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The producers of the queue: a task for each HTTP connection, which never waits for room. If the
// queue is full, the client hears so and comes again.

#pragma once

#include "incoming_event.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

class http_intake
{
public:
    http_intake(
        boost::asio::any_io_executor executor,
        unsigned short port,
        event_queue& events,
        ingest_status& status,
        answer_time when
    );

    [[nodiscard]] boost::asio::ip::tcp::endpoint endpoint() const
    {
        return acceptor_.local_endpoint();
    }

    // Accepts connections until the stop. `tasks` gets a task for each of them; its stop ends those
    // that wait for a request, and lets the others answer theirs.
    boost::asio::awaitable<void> run(sluice::coordinator& tasks);

private:
    using request = boost::beast::http::request<boost::beast::http::string_body>;
    using response = boost::beast::http::response<boost::beast::http::string_body>;

    // The answer to the one request of a connection that may wait for its commit.
    using outcome_queue = sluice::fifo_queue<outcome>;

    boost::asio::awaitable<void> serve(
        const sluice::coordinator& tasks,
        boost::asio::ip::tcp::socket client,
        sluice::semaphore_permit seat
    );
    boost::asio::awaitable<response> respond(request& asked, outcome_queue& outcomes);
    boost::asio::awaitable<response> take(request& asked, outcome_queue& outcomes);

    boost::asio::ip::tcp::acceptor acceptor_;
    sluice::semaphore clients_;
    event_queue& events_;
    ingest_status& status_;
    answer_time when_;
};
