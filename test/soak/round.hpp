// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "soak/ledger.hpp"

#include <cstddef>
#include <cstdint>

namespace sluice::soak {

/// Runs so many random operations on queues of all kinds, and checks the books.
/**
 * Most rounds end by closing all queues and waiting for what still runs; one in four ends by
 * destroying the io_context with everything that waits in it.
 *
 * @throws std::runtime_error  a rule was broken, or nothing moved for a long time.
 */
totals run_round(std::uint64_t seed, std::size_t operations, std::size_t threads);

}  // namespace sluice::soak
