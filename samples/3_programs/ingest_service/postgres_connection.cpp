// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "postgres_connection.hpp"

#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <fcntl.h>

#include <cerrno>
#include <optional>

namespace asio = boost::asio;
using asio::posix::descriptor_base;

// The states are of https://www.postgresql.org/docs/15/errcodes-appendix.html: data exception,
// integrity constraint violation, program limit exceeded.
postgres_error::postgres_error(const std::string& message, std::string_view state)
    : std::runtime_error(message.substr(0, message.find('\n'))),
      is_about_data(
          state.starts_with("22") || state.starts_with("23") || state.starts_with("54")
      )
{
}

postgres_connection::postgres_connection(
    const asio::any_io_executor& executor,
    const std::string& database
)
    : connection_{PQconnectStart(database.c_str()), &PQfinish}, socket_{executor}
{
}

//[open
asio::awaitable<postgres_connection> postgres_connection::open(std::string database)
{
    postgres_connection opened{co_await asio::this_coro::executor, database};
    co_await opened.handshake();
    co_return opened;
}

asio::awaitable<void> postgres_connection::handshake()
{
    require(PQstatus(connection_.get()) != CONNECTION_BAD);
    for (auto next = PGRES_POLLING_WRITING; next != PGRES_POLLING_OK;) {
        watch_socket();  // each step may have opened another one
        co_await socket_.async_wait(
            next == PGRES_POLLING_READING ? descriptor_base::wait_read
                                          : descriptor_base::wait_write,
            asio::use_awaitable
        );
        next = PQconnectPoll(connection_.get());
        require(next != PGRES_POLLING_FAILED);
    }
    watch_socket();
    require(PQsetnonblocking(connection_.get(), 1) == 0);
}

// libpq closes its socket itself, so Asio gets a descriptor of its own.
void postgres_connection::watch_socket()
{
    const int duplicate = ::fcntl(PQsocket(connection_.get()), F_DUPFD_CLOEXEC, 0);
    if (duplicate == -1)
        throw boost::system::system_error{errno, boost::system::system_category()};
    socket_ = asio::posix::stream_descriptor{socket_.get_executor(), duplicate};
}
//]

//[execute
asio::awaitable<void> postgres_connection::execute(
    const char* command,
    const std::string& parameter
)
{
    PGconn* const server = connection_.get();
    const char* const value = parameter.c_str();
    require(
        PQsendQueryParams(server, command, 1, nullptr, &value, nullptr, nullptr, 0) == 1
    );
    // The server reads one command to its end before it answers, so there is nothing to read yet.
    while (const int left = PQflush(server)) {
        require(left == 1);
        co_await socket_.async_wait(descriptor_base::wait_write, asio::use_awaitable);
    }

    std::optional<postgres_error> error;
    for (;;) {
        while (PQisBusy(server) == 1) {
            co_await socket_.async_wait(descriptor_base::wait_read, asio::use_awaitable);
            require(PQconsumeInput(server) == 1);
        }
        const std::unique_ptr<PGresult, decltype(&PQclear)> result{
            PQgetResult(server),
            &PQclear
        };
        if (!result)
            break;
        if (PQresultStatus(result.get()) == PGRES_FATAL_ERROR) {
            const char* const state = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
            error.emplace(PQresultErrorMessage(result.get()), state ? state : "");
        }
    }
    if (error)
        throw postgres_error{*error};
}
//]

void postgres_connection::require(bool is_good) const
{
    if (!is_good)
        throw postgres_error{PQerrorMessage(connection_.get()), ""};
}
