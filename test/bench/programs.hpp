// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "bench/harness.hpp"
#include "bench/task.hpp"

#include <initializer_list>
#include <string>

namespace sluice::bench {

/// Contestants that are programs of their own, so that what they are made of neither has to
/// be installed nor brings its threads into this process. Such a program is called
///
///     <program> <work> <capacity> <producers> <consumers> <threads> <steps> <items>
///
/// and prints the nanoseconds that it took, measured as here: without its start, and after a
/// tenth of the items to warm up. README.md has the list; peers/peer.hpp is for those in C++.

/// Adds those of the named programs that were built, with the bar of being ahead of them,
/// and notes the others as missing. No bar for queues that neither wait asynchronously nor
/// have a bound of their own.
void add_peers(
    scenario& to,
    const task& what,
    std::initializer_list<const char*> programs
);

/// The same for one program, without a bar, under a name of its own.
void add_program(
    scenario& to,
    const task& what,
    const std::string& program,
    const std::string& name
);

}  // namespace sluice::bench
