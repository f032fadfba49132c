// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "redis/address.hpp"
#include "redis/strand.hpp"
#include <sluice/error.hpp>

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include <string>

namespace sluice::redis::detail {

// The settings as OpenSSL wants them. Throws errc::tls_failed if a file cannot be used.
[[nodiscard]] boost::asio::ssl::context make_tls_context(const tls_settings& settings);

// The TLS between a socket and the bytes of a link. As the link, used on one strand.
class tls_stream
{
public:
    using stream_type = boost::asio::ssl::stream<socket_type&>;

    // The socket must live longer, and `to` have settings. Throws as make_tls_context(): files are
    // read for each connection, so that a certificate may be renewed meanwhile.
    tls_stream(socket_type& socket, const address& to);

    // Throws errc::tls_failed if the two cannot agree, and why the certificate is refused.
    awaitable<void> shake_hands();

    [[nodiscard]] stream_type& bytes() noexcept { return stream_; }

    // Whether the other side, or this one, has ended the connection for a reason of TLS.
    [[nodiscard]] static bool is_refusal(const error_code& error) noexcept;

private:
    [[nodiscard]] std::string reason_of(const error_code& error);

    boost::asio::ssl::context context_;
    stream_type stream_;
    const std::string expected_;  // the name in the certificate
};

}  // namespace sluice::redis::detail
