// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "bench/task.hpp"

#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <exception>

namespace sluice::bench {

/// For co_spawn: an error ends the benchmark.
void rethrow(const std::exception_ptr& error);

/// Runs what was spawned on the context, on so many threads, from a common start, and says
/// how many nanoseconds that took.
[[nodiscard]] double run(boost::asio::io_context& context, std::size_t threads);

}  // namespace sluice::bench
