// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/description_fields.hpp"

#include "pipeline/description/named_values.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <string>
#include <vector>

namespace sluice::pipeline::detail {

namespace {

using nlohmann::json;

constexpr double most_threads = 1024;
constexpr double most_workers = 1024;
constexpr double most_copies = 100'000;
constexpr double most_deliveries = 1e9;

void add_type(stage_options<queue_description>& fields, queue_type type)
{
    fields.unbound<std::string>(
        "type",
        "the order in which elements leave; redis: on a server, which processes share",
        to_string(queue_types[0]),
        {.choices = {to_string(type)}}
    );
}

void add_min_after_dequeue(stage_options<queue_description>& fields)
{
    fields.optional(
        "min_after_dequeue",
        &queue_description::min_after_dequeue,
        "how many elements stay stored, so that there is a choice; below the "
        "capacity",
        {.minimum = 0, .maximum = double{most_elements}}
    );
}

void add_by(stage_options<queue_description>& fields)
{
    fields.optional(
        "by",
        &queue_description::by,
        "a JSON pointer to what values are compared by; empty: the whole"
    );
}

stage_options<queue_description> make_remote_queue_fields()
{
    stage_options<queue_description> fields;
    add_type(fields, queue_type::redis);
    fields
        .required(
            "url",
            &queue_description::url,
            "the address of the server, such as redis://localhost or unix:/run/redis.sock"
        )
        .optional(
            "key",
            &queue_description::key,
            "its name on the server; by default the name of the pipeline, a dot, and its "
            "own"
        )
        .unbound<json>(
            "capacity",
            "how many elements it holds, over all processes, before producers have to "
            "wait; those count, too, that are taken and not acknowledged",
            queue_description().capacity
        )
        .optional(
            "kind",
            &queue_description::kind,
            "the order in which elements leave",
            {.choices = {"fifo", "shuffle", "priority"}}
        );
    add_min_after_dequeue(fields);
    add_by(fields);
    return fields
        .optional(
            "lease",
            &queue_description::lease,
            "how long nothing is heard of a process before others get what it has taken"
        )
        .optional(
            "max_deliveries",
            &queue_description::max_deliveries,
            "how often an element is delivered before it becomes a dead letter; 0: "
            "without limit",
            {.minimum = 0, .maximum = most_deliveries}
        )
        .optional(
            "retry_delay",
            &queue_description::retry_delay,
            "how long an element waits for its second delivery, and twice as long for "
            "each further one; 0s: not at all"
        )
        .optional(
            "max_retry_delay",
            &queue_description::max_retry_delay,
            "no such wait is longer"
        );
}

stage_options<queue_description> make_queue_fields(queue_type type)
{
    if (type == queue_type::redis)
        return make_remote_queue_fields();
    stage_options<queue_description> fields;
    add_type(fields, type);
    fields
        .unbound<json>(
            "capacity",
            "how much it holds before producers have to wait: a number of elements, "
            "or a text with a number of bytes, such as \"64 MiB\"",
            queue_description().capacity
        )
        .optional(
            "memory",
            &queue_description::memory,
            "how many bytes its elements take before producers have to wait; a larger "
            "element passes alone"
        )
        .unbound<std::string>(
            "overflow",
            "what happens to an element that finds the queue full: it waits, or the one "
            "that would leave next is dropped for it, or it is dropped itself",
            to_string(overflow_rules[0]),
            {.choices = names_of_overflow(type)}
        );
    if (type == queue_type::shuffle) {
        add_min_after_dequeue(fields);
        fields.optional(
            "seed",
            &queue_description::seed,
            "makes the order the same each time",
            {.minimum = 0}
        );
    }
    if (type == queue_type::priority)
        add_by(fields);
    return fields;
}

}  // namespace

std::string capacities_in_words(queue_type type)
{
    return fmt::format(
        "a whole number from {} to {}{}",
        least_capacity(type),
        most_elements,
        has_capacity_in_bytes(type) ? R"(, or a size such as "64 MiB")" : ""
    );
}

std::vector<std::string> names_of_overflow(queue_type type)
{
    std::vector<std::string> names;
    for (const overflow rule : overflow_rules)
        if (has_overflow(type, rule))
            names.emplace_back(to_string(rule));
    return names;
}

stage_options<pipeline_description> fields_of_pipeline()
{
    stage_options<pipeline_description> fields;
    fields.optional("name", &pipeline_description::name, "its name in reports")
        .unbound<std::string>("description", "a text for readers", "")
        .optional(
            "threads",
            &pipeline_description::threads,
            "threads of the event loop; 0: one for each processor",
            {.minimum = 0, .maximum = most_threads}
        )
        .unbound<json>("coordinator", "how it ends", json::object())
        .unbound<json>("queues", "the queues by name", json::object())
        .unbound<json>("runners", "an array of runners")
        .unbound<std::string>("$schema", "what an editor checks it with", "");
    return fields;
}

stage_options<pipeline_description> fields_of_coordinator()
{
    stage_options<pipeline_description> fields;
    fields.optional(
        "stop_grace_period",
        &pipeline_description::stop_grace_period,
        "how long a stop waits for the runners"
    );
    return fields;
}

const stage_options<queue_description>& fields_of_queue(queue_type type)
{
    static const std::array all = {
        make_queue_fields(queue_types[0]),
        make_queue_fields(queue_types[1]),
        make_queue_fields(queue_types[2]),
        make_queue_fields(queue_types[3]),
        make_queue_fields(queue_types[4])
    };
    return all.at(static_cast<std::size_t>(type));
}

stage_options<runner_description> fields_of_runner(const stage_registry& stages)
{
    stage_options<runner_description> fields;
    fields
        .optional(
            "name",
            &runner_description::name,
            "its name; by default that of the stage"
        )
        .required(
            "stage",
            &runner_description::stage,
            "the name of a stage",
            {.choices = stages.names()}
        )
        .unbound<json>("options", "options of the stage", json::object())
        .optional("from", &runner_description::from, "the queue it takes from")
        .optional(
            "to",
            &runner_description::to,
            "the queue it puts into, or several, each of which gets every element"
        )
        .optional(
            "workers",
            &runner_description::workers,
            "how many run at the same time",
            {.minimum = 1, .maximum = most_workers}
        )
        .optional(
            "ordered",
            &runner_description::ordered,
            "whether results keep the order of the input although several workers compute"
        )
        .unbound<json>(
            "on_error",
            "what happens to elements that the stage cannot process: fail, skip, or an "
            "object with the queue \"to\" which they go",
            to_string(error_action::fail)
        )
        .unbound<std::string>(
            "acknowledge",
            "of elements from a queue on a server: when they are done; when what was "
            "made of them is written, or as soon as they are taken",
            to_string(acknowledgements[0]),
            {.choices = names_of(acknowledgements)}
        )
        .optional(
            "copies",
            &runner_description::copies,
            "how many processes run it, all of which have to end before a queue on a "
            "server is closed that it puts into",
            {.minimum = 1, .maximum = most_copies}
        );
    return fields;
}

}  // namespace sluice::pipeline::detail
