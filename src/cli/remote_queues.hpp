// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/remote_queue.hpp>

namespace sluice::cli {

// Makes the queues of a description that are on a server. Null if the command was built without
// them.
[[nodiscard]] pipeline::remote_queue_factory remote_queues();

}  // namespace sluice::cli
