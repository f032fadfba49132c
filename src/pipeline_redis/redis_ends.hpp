// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/metrics/snapshot.hpp>
#include <sluice/pipeline/element.hpp>
#include <sluice/pipeline/remote_queue.hpp>
#include <sluice/redis/redis_queue.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>

#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

// How an element of a pipeline becomes bytes on a server.
//
// A text is its own bytes, so that programs of any kind can share a queue with a pipeline. All
// else, and a text that begins with the byte 1, is that byte, a letter, a newline and the content:
//
//   t  a text
//   j  a JSON value
struct element_codec
{
    // Throws std::runtime_error for a JSON value that is not UTF-8.
    [[nodiscard]] static std::string encode(const element& content);

    // Throws std::runtime_error for what encode() does not give.
    [[nodiscard]] static element decode(std::string_view bytes);
};

// The two ends of a queue in this process, and what happens to it beside the work: the leases of
// what workers have are begun anew while the process lives, however long the work takes or waits
// for room behind it; and each look at the queue asks the server how it is.
class redis_ends : public std::enable_shared_from_this<redis_ends>
{
public:
    using output_queue = redis::queue<element, element_codec>;
    // Bytes, so that who takes them can say which element it is that cannot be read.
    using input_queue = redis::queue<std::string>;
    using deliveries = std::vector<redis::delivery<std::string>>;
    using held_list = std::list<deliveries>;

    redis_ends(
        std::shared_ptr<redis::connection> server,
        const remote_queue_request& request
    );

    // Looks after the queue until stop(), or until the context ends.
    void start();
    void stop();

    // What a worker has taken, until it is taken out again.
    [[nodiscard]] held_list::iterator hold(deliveries taken);
    [[nodiscard]] deliveries release(held_list::iterator held);

    // Waits until the server knows what this process had to say, and then for the last figures.
    // Gives up on each of these after `patience`. Without a connection there are no figures to
    // wait for.
    [[nodiscard]] boost::asio::awaitable<void> flush(std::chrono::nanoseconds patience);

    [[nodiscard]] metrics::queue_snapshot snapshot() const;

    // In the pipeline.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

    // Two ends, because a drain ends what takes, and not what puts.
    [[nodiscard]] input_queue& input() noexcept { return input_; }
    [[nodiscard]] output_queue& output() noexcept { return output_; }
    [[nodiscard]] redis::connection& server() noexcept { return *server_; }

private:
    boost::asio::awaitable<void> look_after();
    void extend_leases();

    const std::shared_ptr<redis::connection> server_;
    input_queue input_;
    output_queue output_;
    const std::string name_;
    const std::shared_ptr<redis::remote_source> source_;
    const std::chrono::nanoseconds lease_;
    boost::asio::strand<boost::asio::any_io_executor> home_;
    boost::asio::steady_timer tick_;  // used on the strand
    bool is_stopped_ = false;         // read and written on the strand
    std::mutex mutex_;
    held_list held_;  // guarded by mutex_
};

}  // namespace sluice::pipeline
