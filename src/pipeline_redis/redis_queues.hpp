// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/problem.hpp>
#include <sluice/pipeline/remote_queue.hpp>

#include <optional>
#include <string>

namespace sluice::pipeline {

// Makes queues of type redis. Those of one pipeline that are on one server share a connection.
[[nodiscard]] remote_queue_factory redis_queues();

// What is wrong with the address of a server; see address_check.
[[nodiscard]] std::optional<problem> check_redis_address(const std::string& url);

}  // namespace sluice::pipeline
