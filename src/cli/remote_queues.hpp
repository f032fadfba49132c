// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/remote_queue.hpp>

#include <string>

namespace sluice::cli {

// Makes the queues of a description that are on a server. Null if the command was built without
// them.
[[nodiscard]] pipeline::remote_queue_factory remote_queues();

// Why a server cannot have this address, and what one looks like. Empty if it can, and if the
// command was built without them.
[[nodiscard]] std::string mistake_in_address(const std::string& url);

}  // namespace sluice::cli
