// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The producers of the queue: a task for each HTTP connection, which never waits for room. If the
// queue is full, the client hears so and comes again.

#pragma once

#include "incoming_event.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

// Until the stop of `tasks`, which gets a task for each connection. The stop ends those that wait
// for a request, and lets the others answer theirs.
boost::asio::awaitable<void> accept_clients(
    sluice::coordinator& tasks,
    boost::asio::ip::tcp::acceptor& acceptor,
    event_queue& events
);
