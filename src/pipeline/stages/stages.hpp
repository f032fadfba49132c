// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <span>
#include <string_view>

namespace sluice::pipeline {

class stage_registry;

// Each is defined in the source file of the stage, and called by add_builtin_stages().
void add_aggregate(stage_registry& stages);
void add_batch(stage_registry& stages);
void add_command(stage_registry& stages);
void add_count(stage_registry& stages);
void add_discard(stage_registry& stages);
void add_filter(stage_registry& stages);
void add_jq(stage_registry& stages);
void add_list(stage_registry& stages);
void add_map(stage_registry& stages);
void add_parse(stage_registry& stages);
void add_range(stage_registry& stages);
void add_rate_limit(stage_registry& stages);
void add_read(stage_registry& stages);
void add_split_words(stage_registry& stages);
void add_sqlite(stage_registry& stages);
void add_unbatch(stage_registry& stages);
void add_write(stage_registry& stages);

// What a stage of an earlier version was called, and what it is called now.
struct former_stage
{
    std::string_view name;
    std::string_view now;
    std::string_view with;  // options
};

[[nodiscard]] std::span<const former_stage> former_stages() noexcept;

}  // namespace sluice::pipeline
