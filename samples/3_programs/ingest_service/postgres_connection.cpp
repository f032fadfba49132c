// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "postgres_connection.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <fcntl.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <utility>

namespace asio = boost::asio;
using asio::posix::descriptor_base;

namespace {

// Classes of https://www.postgresql.org/docs/15/errcodes-appendix.html: data exception, integrity
// constraint violation, program limit exceeded.
bool is_state_of_data(std::string_view state)
{
    return state.starts_with("22") || state.starts_with("23") || state.starts_with("54");
}

postgres_error error_of(const PGresult* result)
{
    const char* const state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    return {PQresultErrorMessage(result), state == nullptr ? "" : state};
}

}  // namespace

postgres_error::postgres_error(const std::string& message, std::string_view state)
    : std::runtime_error(message.substr(0, message.find('\n'))),
      is_about_data_(is_state_of_data(state))
{
}

postgres_connection::postgres_connection(
    const asio::any_io_executor& executor,
    const std::string& database
)
    : connection_{PQconnectStart(database.c_str())}, socket_{executor}
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

asio::awaitable<void> postgres_connection::execute(const char* commands)
{
    require(PQsendQuery(connection_.get(), commands) == 1);
    co_await flush();
    co_await finish_commands();
}

//[copy
asio::awaitable<std::uint64_t> postgres_connection::copy(
    const char* commands,
    std::string_view rows
)
{
    require(PQsendQuery(connection_.get(), commands) == 1);
    co_await flush();
    const result begun = co_await next_result();
    if (PQresultStatus(begun.get()) != PGRES_COPY_IN)
        throw error_of(begun.get());

    // libpq keeps all of it until it is sent.
    require(
        PQputCopyData(connection_.get(), rows.data(), static_cast<int>(rows.size())) == 1
    );
    require(PQputCopyEnd(connection_.get(), nullptr) == 1);
    co_await flush();
    co_return co_await finish_commands();
}

asio::awaitable<void> postgres_connection::flush()
{
    using namespace asio::experimental::awaitable_operators;
    for (int left = 1; left != 0;) {
        left = PQflush(connection_.get());
        require(left != -1);
        if (left == 1) {
            // Also what the server says meanwhile, because it may wait for that.
            co_await (
                socket_.async_wait(descriptor_base::wait_write, asio::use_awaitable) ||
                socket_.async_wait(descriptor_base::wait_read, asio::use_awaitable)
            );
            require(PQconsumeInput(connection_.get()) == 1);
        }
    }
}

asio::awaitable<postgres_connection::result> postgres_connection::next_result()
{
    while (PQisBusy(connection_.get()) == 1) {
        co_await socket_.async_wait(descriptor_base::wait_read, asio::use_awaitable);
        require(PQconsumeInput(connection_.get()) == 1);
    }
    co_return result{PQgetResult(connection_.get())};
}

// The commit is the last thing that the server does, and it may fail, too. So no error before the
// last result is none.
asio::awaitable<std::uint64_t> postgres_connection::finish_commands()
{
    std::uint64_t rows = 0;
    std::optional<postgres_error> error;
    while (const result next = co_await next_result()) {
        if (PQresultStatus(next.get()) == PGRES_FATAL_ERROR)
            error = error_of(next.get());
        else
            rows = std::strtoull(PQcmdTuples(next.get()), nullptr, 10);
    }
    if (error)
        throw postgres_error{*error};
    co_return rows;
}
//]

void postgres_connection::require(bool is_good) const
{
    if (!is_good)
        throw postgres_error{PQerrorMessage(connection_.get()), ""};
}

void append_copy_field(std::string& rows, std::string_view field)
{
    constexpr std::string_view special = "\\\n\r\t";
    constexpr std::string_view letters = "\\nrt";
    for (const char c : field) {
        const std::size_t which = special.find(c);
        const bool is_special = which != std::string_view::npos;
        if (is_special)
            rows += '\\';
        rows += is_special ? letters[which] : c;
    }
}
