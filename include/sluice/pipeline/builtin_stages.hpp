// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

namespace sluice::pipeline {

class stage_registry;

/// Adds the stages that `sluice stages` lists.
/// @throws system_error  errc::invalid_argument if one of their names is taken.
void add_builtin_stages(stage_registry& stages);

}  // namespace sluice::pipeline
