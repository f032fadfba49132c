// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/error_policy.hpp>
#include <sluice/pipeline/stage_options.hpp>
#include <sluice/queue/queue_options.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// The name of a rule in descriptions, such as "drop_oldest".
[[nodiscard]] const char* to_string(overflow rule) noexcept;

}  // namespace sluice

namespace sluice::pipeline {

using sluice::to_string;

/// The order in which the elements of a described queue leave.
enum class queue_type : unsigned char
{
    fifo,      ///< first in, first out
    shuffle,   ///< random, out of those stored
    priority,  ///< smallest first
    padding,   ///< first in, first out; batches of arrays are padded to one length
    redis      ///< on a Redis server, which processes share; see remote_queue
};

/// The name of a type in descriptions and reports, such as "fifo".
[[nodiscard]] const char* to_string(queue_type type) noexcept;

/// A queue of a described pipeline.
struct queue_description
{
    /// The key in "queues".
    std::string name = {};

    /// "type"; fifo by default.
    queue_type type = queue_type::fifo;

    /// "capacity" as a number, in elements. 0 only for fifo; `unbounded` if only `memory` limits
    /// it.
    std::size_t capacity = 256;

    /// "memory", or "capacity" as a text, in bytes: what its elements take at most, see
    /// element_weight. One that takes more passes alone.
    byte_size memory = {16 * 1024 * 1024};

    /// "overflow": what happens to an element that finds the queue full. drop_oldest only for
    /// fifo and padding, and with capacity 0 only wait.
    sluice::overflow overflow = sluice::overflow::wait;

    /// "min_after_dequeue", in elements; for shuffle.
    std::size_t min_after_dequeue = 0;

    /// "seed"; for shuffle. Empty: another order each time.
    std::optional<std::uint64_t> seed = {};

    /// "by", a JSON pointer; for priority: what values are compared by. "" compares texts
    /// and values themselves. On a server it leads to a whole number.
    std::string by = {};

    /// "url"; for redis: the address of the server, as in redis::connection.
    std::string url = {};

    /// "key"; for redis: the name of the queue on the server. By default `pipeline.name`.
    std::string key = {};

    /// "kind"; for redis: the order in which elements leave, which is fifo, shuffle or priority.
    std::string kind = "fifo";

    /// "lease"; for redis: how long a process that is not heard of keeps elements.
    std::chrono::nanoseconds lease = std::chrono::seconds(30);

    /// "max_deliveries"; for redis: how often an element is delivered before it becomes a dead
    /// letter. 0: without limit.
    std::uint32_t max_deliveries = 5;

    /// "retry_delay"; for redis: how long an element waits for its second delivery, and twice as
    /// long for each further one. 0: not at all.
    std::chrono::nanoseconds retry_delay{};

    /// "max_retry_delay"; for redis: no such wait is longer.
    std::chrono::nanoseconds max_retry_delay = std::chrono::minutes(5);
};

/// When a runner acknowledges what it takes from a queue on a server.
enum class acknowledgement : unsigned char
{
    written,  ///< when all that was made of it is in queues on a server, or has taken effect
    taken     ///< at once: what is in this process is lost with it
};

/// The name of a moment in descriptions, such as "written".
[[nodiscard]] const char* to_string(acknowledgement when) noexcept;

/// A runner of a described pipeline: a stage, and the queues it stands between.
struct runner_description
{
    /// "name", for messages and reports; by default that of the stage.
    std::string name = {};

    /// "stage", a name in the stage_registry.
    std::string stage = {};

    /// "options" of the stage; an object.
    nlohmann::json options = nlohmann::json::object();

    /// "from", the queue it takes from; empty for a source.
    std::string from = {};

    /// "to", the queues it puts into; empty for a sink. Each of several gets every element.
    std::vector<std::string> to = {};

    /// "workers": how many run at the same time.
    std::size_t workers = 1;

    /// "ordered": whether its results are in the order of its input although several workers
    /// compute; see stage::can_keep_order().
    bool ordered = false;

    /// "on_error": what happens to elements that the stage cannot process.
    error_policy on_error = {};

    /// "acknowledge": when it acknowledges elements of a queue on a server.
    acknowledgement acknowledge = acknowledgement::written;

    /// "copies": how many processes run it until their input ends; a queue on a server is closed
    /// when all have. Where it takes from such a queue and acknowledges what is written, any
    /// number may run, and the first to end tells of the end of all.
    std::size_t copies = 1;
};

/// A described pipeline, as plain values: read_description() makes it from a file, or a program
/// fills it in. It is judged by checked_description.
struct pipeline_description
{
    /// "name", for reports.
    std::string name = "pipeline";

    /// "threads" of the event loop; 0: one for each processor.
    std::size_t threads = 0;

    /// "coordinator"/"stop_grace_period": how long a stop waits for the runners.
    std::chrono::steady_clock::duration stop_grace_period = std::chrono::seconds(10);

    /// "queues", in the order of the file.
    std::vector<queue_description> queues = {};

    /// "runners", in the order of the file.
    std::vector<runner_description> runners = {};
};

}  // namespace sluice::pipeline
