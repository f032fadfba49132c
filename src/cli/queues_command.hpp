// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "command_line.hpp"

namespace sluice::cli {

// Lists, watches, drains, closes or deletes queues on a server. Throws command_error for an
// address that cannot be understood, for a queue that is not there, and if the command was
// built without such queues.
exit_status queues_command(const queues_arguments& arguments);

}  // namespace sluice::cli
