// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/builtin_stages.hpp>
#include <sluice/pipeline/stage_registry.hpp>

namespace sluice::fuzz {

// Those that the command knows.
inline const pipeline::stage_registry& stages()
{
    static const pipeline::stage_registry all = [] {
        pipeline::stage_registry registry;
        pipeline::add_builtin_stages(registry);
        return registry;
    }();
    return all;
}

}  // namespace sluice::fuzz
