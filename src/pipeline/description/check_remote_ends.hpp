// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/problem.hpp>
#include <sluice/pipeline/read_description.hpp>
#include <sluice/pipeline/stage.hpp>

#include <memory>
#include <string>
#include <vector>

// Queues on a server, and the runners at their ends.
namespace sluice::pipeline::detail {

// Whether the queue is at one end of the runner.
[[nodiscard]] bool uses_queue(const runner_description& runner, const std::string& queue);

// The name of such a queue on its server.
[[nodiscard]] std::string key_on_server(
    const queue_description& queue,
    const pipeline_description& whole
);

// What is wrong with such a queue, beyond the limits of its fields. Pointers begin at the queue.
[[nodiscard]] std::vector<problem> check_remote_queue(
    const queue_description& queue,
    const pipeline_description& whole,
    const address_check& addresses
);

// Runners that would acknowledge what is not safe yet. The stages are those of the runners.
[[nodiscard]] std::vector<problem> check_remote_ends(
    const pipeline_description& description,
    const std::vector<std::unique_ptr<stage>>& stages
);

// Names that no runner has, and queues of this process between a runner that is one of them and
// one that is not.
[[nodiscard]] std::vector<problem> check_selection(
    const pipeline_description& description,
    const std::vector<std::string>& runners
);

}  // namespace sluice::pipeline::detail
