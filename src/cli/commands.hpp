// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "command_line.hpp"
#include <sluice/pipeline/checked_description.hpp>
#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/remote_queue.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <string>

// What the commands do that are more than a few lines.
namespace sluice::cli {

// Runs a pipeline. Its results go to standard output, everything else to standard error.
// Does not return, but ends the process, if workers still run when the grace period is over.
[[nodiscard]] exit_status run_command(
    const command_line& line,
    pipeline::checked_description checked
);

// A pipeline in the language of Graphviz: runners are boxes, queues are rounded, arrows say where
// elements go.
[[nodiscard]] std::string to_dot(const pipeline::pipeline_description& description);

// The JSON Schema of descriptions with these stages.
[[nodiscard]] std::string schema_command(const pipeline::stage_registry& stages);

// The explanation of a stage, or the list of all if the name is empty. Throws command_error if the
// name is unknown.
[[nodiscard]] std::string stages_command(
    const std::string& name,
    const pipeline::stage_registry& stages
);

// The rest needs queues on a server, without which the command can be built: queues_command.cpp.

// Lists, peeks at, drains, requeues, closes or deletes queues on a server. Throws command_error for
// an address that cannot be understood, for a queue that is not there, and if the command was
// built without such queues.
exit_status queues_command(const queues_arguments& arguments);

// Makes the queues of a description that are on a server.
[[nodiscard]] pipeline::remote_queue_factory remote_queues();

// Judges the addresses of a description: all are mistakes if the command was built without them.
[[nodiscard]] pipeline::address_check remote_addresses();

}  // namespace sluice::cli
