// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// An event on its way: out of the body of a request, through the queue, into the database.

#pragma once

#include <sluice.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

//[incoming_event
// When a client gets its answer, and so what becomes of an event while the database is away.
enum class answer_time
{
    when_queued,  // 202; the event waits in memory, and is lost if the process is killed
    after_commit  // 201; the client gets 503 and sends it again
};

// What became of an event.
enum class outcome
{
    stored,      // it is in the database, maybe since an earlier attempt
    refused,     // the database does not take it
    unavailable  // the database is away, and the client should come again
};

struct incoming_event
{
    std::string key;                      // under which the event is stored once
    std::string text;                     // all of it, as it came
    sluice::permit<outcome> answer = {};  // to a client that waits; else without a place
};

// So that the queue is limited in bytes, too.
template <>
struct sluice::element_weight<incoming_event>
{
    static std::size_t of(const incoming_event& event) noexcept
    {
        return sizeof(event) + event.key.size() + event.text.size();
    }
};

using event_queue = sluice::fifo_queue<incoming_event>;
//]

// What the two sides of the queue know of each other, and what the end of the program reports.
struct ingest_status
{
    std::atomic<bool> is_database_away = false;
    std::atomic<std::uint64_t> accepted = 0;  // in the queue
    std::atomic<std::uint64_t> stored = 0;    // new rows
    std::atomic<std::uint64_t> known = 0;     // were in the database already
    std::atomic<std::uint64_t> refused = 0;   // by the database
    std::atomic<std::uint64_t> returned =
        0;  // to a client that waited, while it was away

    [[nodiscard]] std::uint64_t lost() const
    {
        return accepted - stored - known - refused - returned;
    }
};

// Throws std::invalid_argument if the text is no JSON object with a "key" that identifies it.
incoming_event parse_event(std::string text);
