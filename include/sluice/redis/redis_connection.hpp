// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/redis/connection_options.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <concepts>
#include <memory>
#include <string>
#include <string_view>

namespace sluice::redis {
namespace detail {

class client;

}  // namespace detail

/// A connection to a Redis server, or to one that speaks the same, which queues share.
/**
 * It consists of one connection for commands, which are pipelined, and one for what the server
 * tells. Both are on the executor of the program; there are no threads of its own. It connects by
 * itself, and again, with growing pauses, when a connection is lost. No command ever waits in the
 * server, so whatever waits can be cancelled here.
 *
 * @par Example
 * @code
 * sluice::redis::connection redis{pool, "redis://user:password@host:6379/0"};
 * sluice::redis::queue<job> jobs{redis, {.name = "jobs", .capacity = 10'000}};
 * @endcode
 *
 * @par Object lifetime  The execution context must outlive it. Queues may be destroyed later; their
 *                       operations then fail with errc::connection_closed. Its sockets keep
 *                       `io_context::run()` from returning as long as it lives.
 * @par Thread safety    Distinct objects: safe. Shared objects: safe, but for the destructor.
 */
class connection
{
public:
    /// The type of the executor.
    using executor_type = boost::asio::any_io_executor;

    /// Begins to connect.
    /**
     * The address has one of these forms. User, password and database may be left out, and in
     * the first one the port, 6379. Characters such as `@` and `/` are written `%40` and `%2F` in
     * a user or password.
     *
     *     redis://user:password@host:port/database
     *     rediss://user:password@host:port/database?ca_file=/path/of/the/authority.pem
     *     unix:/path/of/the/socket?database=1&user=name&password=secret
     *
     * With `rediss` the connection is encrypted, and the certificate of the server must be valid
     * for the host and signed by an authority that the system trusts. Options behind the `?` change
     * that; files are in the format PEM, and are read for each connection:
     *
     * | option | meaning |
     * |---|---|
     * | `ca_file` | the authority to trust, in place of those that the system trusts |
     * | `server_name` | the name in the certificate, if it is not the host |
     * | `certificate_file`, `key_file` | what this side shows to the server, if that asks for it |
     * | `verify=no` | accept any certificate, for tests; then any program may pass for the server |
     *
     * @param executor  where it runs.
     * @param url       the address of the server.
     * @param options   times.
     * @throws system_error   errc::invalid_argument if the address cannot be understood,
     *                        redis::errc::tls_failed if a file that it names cannot be used. That
     *                        the server cannot be reached is an error of operations.
     * @par Exception safety  strong.
     */
    connection(
        const executor_type& executor,
        std::string_view url,
        connection_options options = {}
    );

    /// Begins to connect, on the executor of an io_context, an io_context_pool or anything else
    /// that has one.
    template <class Context>
        requires requires(Context& context) {
            { context.get_executor() } -> std::convertible_to<executor_type>;
        }
    connection(Context& context, std::string_view url, connection_options options = {})
        : connection(executor_type(context.get_executor()), url, options)
    {
    }

    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;

    /// Disconnects. What waits fails with errc::connection_closed.
    ~connection();

    /// Where it runs, and where completions of its queues run that have no executor of their own.
    [[nodiscard]] const executor_type& get_executor() const noexcept { return executor_; }

    /// The address, without the password: for messages.
    [[nodiscard]] const std::string& address() const noexcept { return address_; }

    /// Whether there is a connection to the server now.
    [[nodiscard]] bool is_connected() const noexcept;

    /// Why there is no connection, with the address and without the password: the reason of the
    /// last attempt or loss. Empty while there is one, and until the first attempt has ended.
    /**
     * For a display that says what operations wait for.
     *
     * @par Exception safety  strong; only memory can run out.
     */
    [[nodiscard]] std::string problem() const;

    /// What may go wrong with the server later: its `maxmemory-policy` lets it evict queues. Empty
    /// if it does not, if this user may not ask (`+info`), and before it has answered.
    /**
     * @par Exception safety  strong; only memory can run out.
     */
    [[nodiscard]] std::string warning() const;

    /// @cond
    // For queues.
    [[nodiscard]] const std::shared_ptr<detail::client>& client() const noexcept
    {
        return client_;
    }
    /// @endcond

private:
    executor_type executor_;
    std::string address_;
    std::shared_ptr<detail::client> client_;
};

}  // namespace sluice::redis
