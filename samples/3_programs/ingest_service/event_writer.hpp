// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The consumer of the queue: writes the events into the table "events" of a PostgreSQL server, in
// batches by size or time.

#pragma once

#include "incoming_event.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>

// Until the queue is drained. `database` is for postgres_connection::open().
boost::asio::awaitable<void> write_events(
    event_queue& events,
    ingest_status& status,
    std::string database,
    answer_time when
);
