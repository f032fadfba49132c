// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <chrono>

namespace sluice::redis {

/// Times of a connection; all have defaults that suit a server nearby.
struct connection_options
{
    /// How long one attempt to connect may take. What looks up the host name then goes on by
    /// itself, because the system does not stop that. Default: 5 s.
    std::chrono::milliseconds connect_timeout = std::chrono::seconds(5);

    /// How long the server may be silent although it owes an answer, before the connection counts
    /// as lost. Default: 10 s.
    std::chrono::milliseconds reply_timeout = std::chrono::seconds(10);

    /// How long to pause after the first attempt that failed; each further pause is twice as
    /// long. Default: 50 ms.
    std::chrono::milliseconds first_pause = std::chrono::milliseconds(50);

    /// The longest of these pauses. Default: 2 s.
    std::chrono::milliseconds longest_pause = std::chrono::seconds(2);

    /// How long the server may be out of reach, or each connection be lost before it answers an
    /// operation, before operations fail with errc::connection_failed. Until then they wait, and
    /// go on with the next connection; after that they fail until there is one. With a server that
    /// hangs it begins when `reply_timeout` has passed, and ends with an attempt, which may take
    /// `connect_timeout`. Default: 30 s.
    std::chrono::milliseconds give_up_after = std::chrono::seconds(30);

    /// How often an operation that waits asks the server without having been told of a change,
    /// because what the server tells may be lost, and the server does not tell of the end of a
    /// lease. Default: 1 s.
    std::chrono::milliseconds poll_interval = std::chrono::seconds(1);
};

}  // namespace sluice::redis
