// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// An event on its way: out of the body of a request, through the queue, into the database.

#pragma once

#include <sluice.hpp>

#include <string>

//[incoming_event
// What became of an event.
enum class outcome
{
    stored,      // it is in the database, maybe since an earlier attempt
    refused,     // the database does not take it
    unavailable  // the database is away, and the client should come again
};

struct incoming_event
{
    std::string text;                // a JSON object with a "key", as it came
    sluice::permit<outcome> answer;  // to the client that waits
};

using event_queue = sluice::fifo_queue<incoming_event>;
//]
