// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/coordinator.hpp>
#include <sluice/metrics/snapshot.hpp>
#include <sluice/pipeline/element.hpp>
#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/stage_context.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

/// Elements of a remote queue that this process has taken and not acknowledged yet.
/**
 * Destroyed without an acknowledgement, they go back to the queue.
 *
 * @par Thread safety  one thread at a time.
 */
class remote_batch
{
public:
    remote_batch() = default;
    remote_batch(const remote_batch&) = delete;
    remote_batch& operator=(const remote_batch&) = delete;
    virtual ~remote_batch() = default;

    /// The elements, to be moved from. At least one.
    [[nodiscard]] virtual std::vector<element>& elements() noexcept = 0;

    /// What identifies each of them, in their order.
    [[nodiscard]] virtual std::span<const element_key> keys() const noexcept = 0;

    /// Says that the work on all of them is done. Called once.
    /**
     * Those that have gone to another consumer meanwhile, because this one was not heard of, are
     * left to that one; this is no error.
     */
    [[nodiscard]] virtual boost::asio::awaitable<void> acknowledge() = 0;

    /// None of them is to blame for what goes wrong now: if they go back, this delivery does not
    /// count towards the most that an element may have.
    virtual void absolve() noexcept {}
};

/// What a remote_queue throws if it cannot do what it was asked for, whatever the elements are: the
/// server is full, a right is missing, the queue was closed.
class remote_queue_failed : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/// A queue of a pipeline that is outside of the process, as its workers need it.
/**
 * A pipeline knows nothing of servers: what is behind this is up to the remote_queue_factory that
 * it is given.
 *
 * @par Example
 * @code
 * while (auto batch = co_await queue.take({.most = 100})) {  // null at the end of the queue
 *     use(batch->elements());
 *     co_await batch->acknowledge();
 * }
 * @endcode
 *
 * @par Object lifetime  as long as the pipeline; it dies before the context of the executor.
 * @par Thread safety    all members from any thread.
 */
class remote_queue
{
public:
    remote_queue() = default;
    remote_queue(const remote_queue&) = delete;
    remote_queue& operator=(const remote_queue&) = delete;
    virtual ~remote_queue() = default;

    /// Its name where it is, the same for all processes.
    [[nodiscard]] virtual std::string_view name() const noexcept = 0;

    /// Ends what waits in this process: what takes when `taking` stops, and everything when
    /// `tasks` do. The queue itself stays open. Called once, before the first operation.
    virtual void end_with(coordinator& taking, coordinator& tasks) = 0;

    /// Takes elements as asked for; null at the end of the queue, and when `taking` has stopped.
    [[nodiscard]] virtual boost::asio::awaitable<std::unique_ptr<remote_batch>> take(
        read_request request
    ) = 0;

    /// Puts all elements into the queue, waiting for room, and leaves the vector empty.
    [[nodiscard]] virtual boost::asio::awaitable<void> put(std::vector<element>& elements
    ) = 0;

    /// A runner has come to its end, not by a stop or a drain. When all who feed the queue have, it
    /// is closed.
    [[nodiscard]] virtual boost::asio::awaitable<void> note_end_of(
        const std::string& runner
    ) = 0;

    /// Waits until the server knows all that this process had to say. Throws nothing, and gives up
    /// when that takes too long.
    [[nodiscard]] virtual boost::asio::awaitable<void> flush() = 0;

    /// What is known of the queue now, without asking the server.
    [[nodiscard]] virtual metrics::queue_snapshot snapshot() const = 0;
};

/// One who feeds a remote queue.
struct remote_feeder
{
    /// The runner.
    std::string runner;

    /// How many processes run it, all of which must come to their end.
    std::size_t copies = 1;
};

/// What a remote_queue is made of.
struct remote_queue_request
{
    /// As described, with a key.
    queue_description queue;

    /// All runners of the description that feed it, here or elsewhere.
    std::vector<remote_feeder> feeders;
};

/// Makes a queue of a pipeline whose description says that it is on a server.
/**
 * Called in the constructor of a running_pipeline. It may throw what ends that; whether the server
 * can be reached shows later.
 */
using remote_queue_factory = std::function<std::unique_ptr<remote_queue>(
    const boost::asio::any_io_executor& executor,
    const remote_queue_request& request
)>;

}  // namespace sluice::pipeline
