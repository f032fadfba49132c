// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// A connection to PostgreSQL whose user waits in coroutines: libpq sends and receives without
// blocking, and Asio says when its socket is ready.

#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <libpq-fe.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

// What the server or libpq says.
struct postgres_error : std::runtime_error
{
    postgres_error(const std::string& message, std::string_view state);

    bool
        is_about_data;  // which the server will never take, so another attempt is in vain
};

// One operation at a time, on one strand. After a postgres_error about data it can be used again.
// Any other operation that fails or is cancelled leaves the connection in the middle of something:
// destroy it then, and open another one.
class postgres_connection
{
public:
    // Where the server is, as libpq reads it. Names are resolved by libpq, which blocks: write an
    // address, hostaddr=10.0.0.5, or a folder with the socket, host=/run/postgresql.
    static boost::asio::awaitable<postgres_connection> open(std::string database);

    // One command with the parameter $1, in a transaction of its own.
    boost::asio::awaitable<void> execute(
        const char* command,
        const std::string& parameter
    );

private:
    postgres_connection(
        const boost::asio::any_io_executor& executor,
        const std::string& database
    );

    boost::asio::awaitable<void> handshake();
    void watch_socket();
    void require(bool is_good) const;

    std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
    boost::asio::posix::stream_descriptor socket_;  // a duplicate, for its readiness
};
