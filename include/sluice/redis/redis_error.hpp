// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error.hpp>

#include <type_traits>

namespace sluice::redis {

/// What went wrong between this process and the server of a queue.
/**
 * Of what goes wrong in a queue itself the codes are those of sluice::errc, as for any queue.
 */
enum class errc
{
    /// The server cannot be reached, and has not been for longer than
    /// `connection_options::give_up_after`; or the answer to an operation that must not wait was
    /// lost with the connection.
    connection_failed = 1,

    /// The connection object has been destroyed.
    connection_closed,

    /// The server refuses the user or password, or the user lacks a right.
    access_denied,

    /// The server is older than Redis 7.0: it has no functions.
    unsupported_server,

    /// The server has no memory left: `maxmemory` is reached.
    server_full,

    /// The queue is on the server already, with other options.
    queue_mismatch,

    /// The lease ended, and the element is with another consumer, or done, by now.
    lease_expired,

    /// The server has answered with an error that is none of the above.
    server_error,

    /// The two sides do not agree on TLS: one refuses the certificate of the other, or only one of
    /// them speaks it; or a file of the address cannot be used. The message says which.
    tls_failed,

    /// This process may not enqueue under its name any more, because another one does, or because
    /// the server has lost elements that came in under it; see `queue_options::producer`.
    producer_fenced,

    /// The server has lost elements of a queue that is still there: a key was deleted or evicted.
    /// Dequeues and enqueues that wait then fail, or else the next one. Those after it go on with
    /// what is there.
    elements_lost
};

/// The category of `errc`; its name is "sluice.redis".
[[nodiscard]] const error_category& redis_category() noexcept;

/// The code of an enumerator; what converts an `errc` to an error_code.
[[nodiscard]] error_code make_error_code(errc code) noexcept;

}  // namespace sluice::redis

namespace boost::system {

template <>
struct is_error_code_enum<sluice::redis::errc> : std::true_type
{
};

}  // namespace boost::system
