// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/description_fields.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace sluice::pipeline::detail {

using nlohmann::json;

stage_options<pipeline_description> fields_of_pipeline()
{
    return stage_options<pipeline_description>()
        .optional("name", &pipeline_description::name, "its name in reports")
        .unbound<std::string>("description", "a text for readers", "")
        .optional(
            "threads",
            &pipeline_description::threads,
            "threads of the event loop; 0: one for each processor",
            {.minimum = 0, .maximum = 1024}
        )
        .unbound<json>("coordinator", "how it ends", json::object())
        .unbound<json>("queues", "the queues by name", json::object())
        .unbound<json>("runners", "an array of runners")
        .unbound<std::string>("$schema", "what an editor checks it with", "");
}

stage_options<pipeline_description> fields_of_coordinator()
{
    return stage_options<pipeline_description>().optional(
        "stop_grace_period",
        &pipeline_description::stop_grace_period,
        "how long a stop waits for the runners"
    );
}

stage_options<queue_description> fields_of_queue(queue_type type)
{
    using queue = queue_description;
    const bool is_remote = type == queue_type::redis;
    const option_limits elements{.minimum = 0, .maximum = double{most_elements}};
    stage_options<queue> fields;
    fields.optional(
        "type",
        &queue::type,
        "the order in which elements leave; redis: on a server, which processes share",
        {.choices = {to_string(type)}}
    );
    if (is_remote)
        fields
            .required(
                "url",
                &queue::url,
                "the address of the server, such as redis://localhost or "
                "unix:/run/redis.sock"
            )
            .optional(
                "key",
                &queue::key,
                "its name on the server; by default the name of the pipeline, a dot, and "
                "its own"
            );
    fields.unbound<json>(
        "capacity",
        is_remote ? "how many elements it holds, over all processes, before producers "
                    "have to wait; those count, too, that are taken and not acknowledged"
                  : "how much it holds before producers have to wait: a number of "
                    "elements, or a text with a number of bytes, such as \"64 MiB\"",
        queue().capacity
    );
    if (is_remote) {
        fields.optional(
            "kind",
            &queue::kind,
            "the order in which elements leave",
            {.choices = {"fifo", "shuffle", "priority"}}
        );
    } else {
        std::vector<std::string> rules = names_of<overflow>();
        std::erase_if(rules, [&](const std::string& name) {
            overflow rule{};
            return !read_value(name, rule) || !has_overflow(type, rule);
        });
        fields
            .optional(
                "memory",
                &queue::memory,
                "how many bytes its elements take before producers have to wait; a "
                "larger element passes alone"
            )
            .optional(
                "overflow",
                &queue::overflow,
                "what happens to an element that finds the queue full: it waits, or the "
                "one that would leave next is dropped for it, or it is dropped itself",
                {.choices = rules}
            );
    }
    if (is_remote || type == queue_type::shuffle)
        fields.optional(
            "min_after_dequeue",
            &queue::min_after_dequeue,
            "how many elements stay stored, so that there is a choice; below the "
            "capacity",
            elements
        );
    if (type == queue_type::shuffle)
        fields.optional(
            "seed",
            &queue::seed,
            "makes the order the same each time",
            {.minimum = 0}
        );
    if (is_remote || type == queue_type::priority)
        fields.optional(
            "by",
            &queue::by,
            "a JSON pointer to what values are compared by; empty: the whole"
        );
    if (is_remote)
        fields
            .optional(
                "lease",
                &queue::lease,
                "how long nothing is heard of a process before others get what it has "
                "taken"
            )
            .optional(
                "max_deliveries",
                &queue::max_deliveries,
                "how often an element is delivered before it becomes a dead letter; 0: "
                "without limit",
                {.minimum = 0, .maximum = 1e9}
            )
            .optional(
                "retry_delay",
                &queue::retry_delay,
                "how long an element waits for its second delivery, and twice as long "
                "for each further one; 0s: not at all"
            )
            .optional(
                "max_retry_delay",
                &queue::max_retry_delay,
                "no such wait is longer"
            );
    return fields;
}

stage_options<runner_description> fields_of_runner(const stage_registry& stages)
{
    using runner = runner_description;
    return stage_options<runner>()
        .optional("name", &runner::name, "its name; by default that of the stage")
        .required(
            "stage",
            &runner::stage,
            "the name of a stage",
            {.choices = stages.names()}
        )
        .optional("options", &runner::options, "options of the stage")
        .optional("from", &runner::from, "the queue it takes from")
        .optional(
            "to",
            &runner::to,
            "the queue it puts into, or several, each of which gets every element"
        )
        .optional(
            "workers",
            &runner::workers,
            "how many run at the same time",
            {.minimum = 1, .maximum = 1024}
        )
        .optional(
            "ordered",
            &runner::ordered,
            "whether results keep the order of the input although several workers compute"
        )
        .unbound<json>(
            "on_error",
            "what happens to elements that the stage cannot process: fail, skip, or an "
            "object with the queue \"to\" which they go",
            to_string(error_action::fail)
        )
        .optional(
            "acknowledge",
            &runner::acknowledge,
            "of elements from a queue on a server: when they are done; when what was "
            "made of them is written, or as soon as they are taken",
            {.choices = names_of<acknowledgement>()}
        )
        .optional(
            "copies",
            &runner::copies,
            "how many processes run it, all of which have to end before a queue on a "
            "server is closed that it puts into",
            {.minimum = 1, .maximum = 100'000}
        );
}

}  // namespace sluice::pipeline::detail
