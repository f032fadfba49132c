// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/remote_queue.hpp>

namespace sluice::pipeline {

// Makes queues of type redis. Those of one pipeline that are on one server share a connection.
[[nodiscard]] remote_queue_factory redis_queues();

}  // namespace sluice::pipeline
