// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "command_line.hpp"
#include <sluice/pipeline/read_description.hpp>
#include <sluice/pipeline/remote_queue.hpp>

// What needs queues on a server, without which the command can be built.
namespace sluice::cli {

// Makes the queues of a description that are on a server. Null if the command was built without
// them.
[[nodiscard]] pipeline::remote_queue_factory remote_queues();

// Judges the addresses of a description: all are mistakes if the command was built without them.
[[nodiscard]] pipeline::address_check remote_addresses();

// Lists, peeks at, drains, requeues, closes or deletes queues on a server. Throws command_error for
// an address that cannot be understood, for a queue that is not there, and if the command was
// built without such queues.
exit_status queues_command(const queues_arguments& arguments);

}  // namespace sluice::cli
