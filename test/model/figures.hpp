// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/queue_stats.hpp>

#include <array>
#include <cstdint>

namespace sluice::model {

// Why: the statistics are compared and printed one by one, under their names.

struct figure
{
    const char* name;
    std::uint64_t value;
};

[[nodiscard]] inline std::array<figure, 11> figures_of(const queue_stats& stats)
{
    return {
        {{"size", stats.size},
         {"held", stats.held},
         {"waiting_producers", stats.waiting_producers},
         {"waiting_consumers", stats.waiting_consumers},
         {"high_water", stats.high_water},
         {"enqueued", stats.enqueued},
         {"dequeued", stats.dequeued},
         {"returned", stats.returned},
         {"dropped", stats.dropped},
         {"weight", stats.weight},
         {"closed", stats.closed}}
    };
}

}  // namespace sluice::model
