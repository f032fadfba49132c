// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/stage_options.hpp>

#include <cstdint>
#include <optional>

namespace sluice::pipeline {

// How often, and in which order: the options of the sources that deal what they know.
struct order_options
{
    std::int64_t epochs = 1;
    bool shuffle = false;
    std::optional<std::int64_t> seed;
};

// Adds them to those of a source, whose options derive from order_options.
template <class Options>
stage_options<Options>& add_order_options(stage_options<Options>& options)
{
    // The types are written out, because a member of the base is not deduced as one of
    // Options.
    return options
        .template optional<std::int64_t>(
            "epochs",
            &Options::epochs,
            "how often",
            {.minimum = 1}
        )
        .template optional<bool>(
            "shuffle",
            &Options::shuffle,
            "whether each epoch has another order"
        )
        .template optional<std::optional<std::int64_t>>(
            "seed",
            &Options::seed,
            "what the orders depend on; without it they differ from run to run"
        );
}

}  // namespace sluice::pipeline
