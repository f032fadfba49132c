// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/stage_options.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <cstddef>

// What may stand in a description: names, types, limits and defaults. Check and schema are made
// of this, so that they cannot differ.
namespace sluice::pipeline::detail {

constexpr std::size_t most_queues = 1000;
constexpr std::size_t most_runners = 1000;
constexpr std::size_t longest_queue_name = 100;  // in characters; they are drawn
constexpr std::size_t most_elements = 2'147'483'648;

// Only a fifo queue can hand over without storing.
[[nodiscard]] constexpr std::size_t least_capacity(queue_type type) noexcept
{
    return type == queue_type::fifo ? 0 : 1;
}

[[nodiscard]] stage_options<pipeline_description> fields_of_pipeline();
[[nodiscard]] stage_options<pipeline_description> fields_of_coordinator();
[[nodiscard]] const stage_options<queue_description>& fields_of_queue(queue_type type);
[[nodiscard]] stage_options<runner_description> fields_of_runner(
    const stage_registry& stages
);

}  // namespace sluice::pipeline::detail
