// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/redis/connection_options.hpp>
#include <sluice/redis/queue_status.hpp>
#include <sluice/redis/redis_queue_options.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::redis {

namespace detail {

struct address;

}  // namespace detail

/// A queue that is on a server: what it was created with, and how it is.
struct queue_info
{
    /// Its name.
    std::string name = {};

    /// The order of its elements.
    queue_kind kind = queue_kind::fifo;

    /// How often an element is delivered before it becomes a dead letter. 0: without limit.
    std::uint32_t max_deliveries = 0;

    /// Of a shuffle queue: how many elements stay behind while it is open.
    std::size_t min_after_dequeue = 0;

    /// How long elements wait for their next delivery; see queue_options.
    std::chrono::milliseconds retry_delay{};

    /// The most of that; 0 if they do not wait.
    std::chrono::milliseconds max_retry_delay{};

    /// How it is; the capacity is there, too.
    queue_status status = {};
};

/// How many processes feed a queue under one name, and end.
struct feeder_count
{
    /// What they do, such as the name of a runner.
    std::string feeder = {};

    /// How many of them there are until the queue is closed.
    std::size_t copies = 1;
};

/// Which elements of a queue are meant.
enum class queue_part : unsigned char
{
    waiting,      ///< Those that may be delivered now.
    dead_letters  ///< Those that have been given up.
};

/// An element that was looked at, and stays where it is.
struct peeked_element
{
    /// Its bytes.
    std::string bytes = {};

    /// How often it has been delivered.
    std::uint32_t deliveries = 0;

    /// Of a dead letter: why the last delivery failed. Empty for others, and if that is not known.
    std::string reason = {};
};

/// What administration::requeue() has done.
struct requeued_letters
{
    /// How many dead letters are elements of the queue again.
    std::size_t count = 0;

    /// How many are left: consumers have them, or the queue is full.
    std::size_t left = 0;
};

/// The queues of a server as a whole: for tools, and for processes that close a queue together.
/**
 * Each operation has a connection of its own, which ends with it.
 *
 * @par Errors         all throw a system_error with a code of redis::errc: connection_failed if the
 *                     server cannot be reached; or asio::error::operation_aborted.
 * @par Cancellation   terminal, partial, total: all supported; a change may have been made.
 * @par Thread safety  as a container. An operation does not refer to the object.
 */
class administration
{
public:
    /// Connects to nothing yet.
    /**
     * @param executor  where operations run.
     * @param url       the address of the server, as in connection.
     * @param options   of which only `connect_timeout` matters; it limits each operation.
     * @throws system_error  errc::invalid_argument if the address cannot be understood.
     */
    administration(
        const boost::asio::any_io_executor& executor,
        std::string_view url,
        connection_options options = {}
    );
    ~administration();

    /// The address, without the password: for messages.
    [[nodiscard]] std::string address() const;

    /// All queues of the database, by their names. Dead letters count as a part of their queue.
    [[nodiscard]] boost::asio::awaitable<std::vector<queue_info>> queues() const;

    /// One queue; empty if there is none of this name.
    [[nodiscard]] boost::asio::awaitable<std::optional<queue_info>> find(std::string name
    ) const;

    /// Closes a queue for all processes. @return false if there is none of this name.
    [[nodiscard]] boost::asio::awaitable<bool> close(std::string name) const;

    /// Deletes a queue with all its elements and its dead letters.
    /**
     * A process that still uses it creates it anew, empty and open, and is told that this is no
     * loss, unless it has no connection at that moment. Either all is deleted or, after an error
     * of the server, nothing.
     * @return false if there is none of this name.
     */
    [[nodiscard]] boost::asio::awaitable<bool> remove(std::string name) const;

    /// Looks at elements of a queue without taking them: those that leave next, of a shuffle queue
    /// the oldest; of dead letters the oldest.
    /**
     * @param name  the queue.
     * @param part  which elements.
     * @param most  how many at most.
     * @return empty if there is no queue of this name.
     */
    [[nodiscard]] boost::asio::awaitable<std::optional<std::vector<peeked_element>>> peek(
        std::string name,
        queue_part part,
        std::size_t most
    ) const;

    /// Puts dead letters back into their queue, the oldest first, as new elements.
    /**
     * Also into one that is closed; not more than there is room for. The server moves up to 1000 in
     * one step, so each is in one of the two places, whenever this is cut short.
     *
     * @param name  the queue.
     * @param most  how many at most.
     * @return empty if there is no queue of this name.
     */
    [[nodiscard]] boost::asio::awaitable<std::optional<requeued_letters>> requeue(
        std::string name,
        std::size_t most
    ) const;

    /// Says that one who feeds a queue has come to its end, and closes the queue if all have.
    /**
     * May be repeated; it counts once.
     *
     * @param name  the queue.
     * @param feeder  which of `all` it is.
     * @param who   tells the copies of a feeder apart; has no newline.
     * @param all   all who feed the queue; the same for each of them.
     * @return whether the queue is closed.
     */
    [[nodiscard]] boost::asio::awaitable<bool> note_end(
        std::string name,
        std::string feeder,
        std::string who,
        std::vector<feeder_count> all
    ) const;

private:
    boost::asio::any_io_executor executor_;
    std::shared_ptr<const detail::address> server_;
    connection_options options_;
};

}  // namespace sluice::redis
