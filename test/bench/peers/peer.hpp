// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "bench/task.hpp"

#include <cstddef>
#include <stdexcept>
#include <string>

namespace sluice::bench {

/// What a peer has to define: does the task with so many items, checks what has arrived, and
/// says how many nanoseconds that took. peer.cpp has the rest of the program.
[[nodiscard]] double perform(const task& what, std::size_t items);

/// For a task that the peer cannot do.
[[noreturn]] inline void refuse(const task& what)
{
    throw std::invalid_argument("cannot do '" + what.work + "'");
}

}  // namespace sluice::bench
