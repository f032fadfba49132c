// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// A connection to PostgreSQL whose user waits in coroutines: libpq sends and receives without
// blocking, and Asio says when its socket is ready.

#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <libpq-fe.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

// What the server or libpq says.
class postgres_error : public std::runtime_error
{
public:
    postgres_error(const std::string& message, std::string_view state);

    // Whether the server has looked at the data and will never take it: another attempt is in vain.
    [[nodiscard]] bool is_about_data() const noexcept { return is_about_data_; }

private:
    bool is_about_data_;
};

// One operation at a time, on one strand. An operation that fails or is cancelled leaves the
// connection in the middle of something: destroy it then, and open another one.
class postgres_connection
{
public:
    // Where the server is, as libpq reads it. Names are resolved by libpq, which blocks: write an
    // address, hostaddr=10.0.0.5, or a folder with the socket, host=/run/postgresql.
    static boost::asio::awaitable<postgres_connection> open(std::string database);

    // Any number of commands without results, separated by semicolons; all of them or none.
    boost::asio::awaitable<void> execute(const char* commands);

    // The same where the first command is a COPY ... FROM STDIN that reads the rows. Gives how many
    // rows the last command has touched.
    boost::asio::awaitable<std::uint64_t> copy(
        const char* commands,
        std::string_view rows
    );

private:
    struct finish
    {
        void operator()(PGconn* connection) const noexcept { PQfinish(connection); }
    };
    struct clear
    {
        void operator()(PGresult* result) const noexcept { PQclear(result); }
    };
    using result = std::unique_ptr<PGresult, clear>;

    postgres_connection(
        const boost::asio::any_io_executor& executor,
        const std::string& database
    );

    boost::asio::awaitable<void> handshake();
    boost::asio::awaitable<void> flush();
    boost::asio::awaitable<result> next_result();
    boost::asio::awaitable<std::uint64_t> finish_commands();
    void watch_socket();
    void require(bool is_good) const;

    std::unique_ptr<PGconn, finish> connection_;
    boost::asio::posix::stream_descriptor socket_;  // a duplicate, for its readiness
};

// A field of a row in the text format of COPY.
void append_copy_field(std::string& rows, std::string_view field);
