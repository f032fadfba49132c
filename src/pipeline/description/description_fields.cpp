// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/description_fields.hpp"

#include <utility>

namespace sluice::pipeline::detail {

namespace {

constexpr double most_threads = 1024;
constexpr double most_workers = 1024;
constexpr double most_elements = 2'147'483'648;

// What queues of all types have.
queue_kind kind_of(queue_type type, std::string name, double least_capacity)
{
    queue_kind kind{.type = type, .name = std::move(name)};
    kind.fields
        .optional(
            "type",
            &queue_fields::type,
            "the order in which elements leave",
            {.choices = {kind.name}}
        )
        .optional(
            "capacity",
            &queue_fields::capacity,
            "how many elements it holds before those who put have to wait",
            {.minimum = least_capacity, .maximum = most_elements}
        );
    return kind;
}

}  // namespace

stage_options<pipeline_fields> fields_of_pipeline()
{
    stage_options<pipeline_fields> fields;
    fields.optional("name", &pipeline_fields::name, "its name in reports")
        .optional("description", &pipeline_fields::description, "a text for readers")
        .optional(
            "threads",
            &pipeline_fields::threads,
            "threads of the event loop; 0: one for each processor",
            {.minimum = 0, .maximum = most_threads}
        )
        .optional("coordinator", &pipeline_fields::coordinator, "how it ends")
        .optional("queues", &pipeline_fields::queues, "the queues by name")
        .required("runners", &pipeline_fields::runners, "an array of runners")
        .optional("$schema", &pipeline_fields::schema, "what an editor checks it with");
    return fields;
}

stage_options<coordinator_fields> fields_of_coordinator()
{
    stage_options<coordinator_fields> fields;
    fields.optional(
        "stop_grace_period",
        &coordinator_fields::stop_grace_period,
        "how long a stop waits for the runners"
    );
    return fields;
}

stage_options<runner_fields> fields_of_runner(const stage_registry& stages)
{
    stage_options<runner_fields> fields;
    fields
        .optional("name", &runner_fields::name, "its name; by default that of the stage")
        .required(
            "stage",
            &runner_fields::stage,
            "the name of a stage",
            {.choices = stages.names()}
        )
        .optional("options", &runner_fields::options, "options of the stage")
        .optional("from", &runner_fields::from, "the queue it takes from")
        .optional("to", &runner_fields::to, "the queue it puts into")
        .optional(
            "workers",
            &runner_fields::workers,
            "how many run at the same time",
            {.minimum = 1, .maximum = most_workers}
        );
    return fields;
}

std::vector<queue_kind> queue_kinds()
{
    // Only a fifo queue can hand over without storing.
    queue_kind fifo = kind_of(queue_type::fifo, "fifo", 0);
    queue_kind shuffle = kind_of(queue_type::shuffle, "shuffle", 1);
    shuffle.fields
        .optional(
            "min_after_dequeue",
            &queue_fields::min_after_dequeue,
            "how many elements stay stored, so that there is a choice; below the "
            "capacity",
            {.minimum = 0, .maximum = most_elements}
        )
        .optional(
            "seed",
            &queue_fields::seed,
            "makes the order the same each time",
            {.minimum = 0}
        );
    queue_kind priority = kind_of(queue_type::priority, "priority", 1);
    priority.fields.optional(
        "by",
        &queue_fields::by,
        "a JSON pointer to what values are compared by; empty: the whole"
    );
    queue_kind padding = kind_of(queue_type::padding, "padding", 1);
    return {std::move(fifo), std::move(shuffle), std::move(priority), std::move(padding)};
}

}  // namespace sluice::pipeline::detail
