// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/stage_options.hpp>
#include <sluice/pipeline/stage_registry.hpp>
#include <sluice/queue/queue_options.hpp>

#include <cstddef>
#include <string>
#include <vector>

// What may stand in a description: names, types, limits and defaults. Reader, check and schema
// are made of this, so that they cannot differ.
namespace sluice::pipeline::detail {

constexpr std::size_t most_queues = 1000;
constexpr std::size_t most_runners = 1000;
constexpr std::size_t longest_queue_name = 100;  // in characters; they are drawn

// In the order of the enumerators; the first is the default.
constexpr queue_type queue_types[] = {
    queue_type::fifo,
    queue_type::shuffle,
    queue_type::priority,
    queue_type::padding,
    queue_type::redis
};

constexpr std::size_t most_elements = 2'147'483'648;

// Only a fifo queue can hand over without storing.
[[nodiscard]] constexpr std::size_t least_capacity(queue_type type) noexcept
{
    return type == queue_type::fifo ? 0 : 1;
}

// What the capacity of a queue may be, for messages.
[[nodiscard]] std::string capacities_in_words(queue_type type);

// A server counts elements, and not their bytes.
[[nodiscard]] constexpr bool has_capacity_in_bytes(queue_type type) noexcept
{
    return type != queue_type::redis;
}

// The first is the default.
constexpr acknowledgement acknowledgements[] = {
    acknowledgement::written,
    acknowledgement::taken
};

// The first is the default.
constexpr overflow overflow_rules[] =
    {overflow::wait, overflow::drop_oldest, overflow::drop_newest};

// The oldest element is known only where elements leave in the order in which they came.
[[nodiscard]] constexpr bool has_overflow(queue_type type, overflow rule) noexcept
{
    if (type == queue_type::redis)
        return rule == overflow::wait;
    return rule != overflow::drop_oldest || type == queue_type::fifo ||
           type == queue_type::padding;
}

// The names of the rules that a queue of this type may have.
[[nodiscard]] std::vector<std::string> names_of_overflow(queue_type type);

[[nodiscard]] stage_options<pipeline_description> fields_of_pipeline();
[[nodiscard]] stage_options<pipeline_description> fields_of_coordinator();
[[nodiscard]] const stage_options<queue_description>& fields_of_queue(queue_type type);
[[nodiscard]] stage_options<runner_description> fields_of_runner(
    const stage_registry& stages
);

}  // namespace sluice::pipeline::detail
