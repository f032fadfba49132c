// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/peers/peer.hpp"
#include "bench/transports.hpp"

// The work of two scenarios, with a core that was built without some of its parts.

namespace sluice::bench {

double perform(const task& what, std::size_t items)
{
    if (what.work == "turn")
        return in_turn<sluice_queue>(items);
    if (what.work == "pass")
        return pass<sluice_queue>(what.form, items);
    refuse(what);
}

}  // namespace sluice::bench
