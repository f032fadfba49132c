// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/spill/in_steps.hpp"
#include "pipeline/spill/record_sorter.hpp"
#include "pipeline/spill/run_set.hpp"
#include <sluice/pipeline/stage_context.hpp>

#include <boost/asio/awaitable.hpp>

#include <cstddef>

namespace sluice::pipeline::spill {

// Fills a sorter, and prepares it for reading. `add_next` adds one record, and is false if there
// is none.
template <class AddNext>
[[nodiscard]] boost::asio::awaitable<void> sort_all(
    record_sorter& sorter,
    AddNext add_next,
    stage_context& context
)
{
    bool is_spilling = false;
    co_await in_steps(context, [&sorter, &add_next, &is_spilling] {
        if (is_spilling)
            is_spilling = sorter.spill_step();
        for (std::size_t i = 0; i < step_size && !is_spilling; ++i) {
            if (!add_next())
                return false;
            is_spilling = sorter.is_full();
        }
        return true;
    });
    co_await in_steps(context, [&sorter] { return sorter.prepare_step(); });
}

}  // namespace sluice::pipeline::spill
