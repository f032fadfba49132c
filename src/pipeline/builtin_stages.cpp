// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/builtin_stages.hpp>

#include "pipeline/stages/stages.hpp"

namespace sluice::pipeline {

void add_builtin_stages(stage_registry& stages)
{
    add_aggregate(stages);
    add_batch(stages);
    add_command(stages);
    add_count(stages);
    add_discard(stages);
    add_filter(stages);
    add_jq(stages);
    add_list(stages);
    add_map(stages);
    add_parse(stages);
    add_range(stages);
    add_rate_limit(stages);
    add_read(stages);
    add_split_words(stages);
    add_sqlite(stages);
    add_unbatch(stages);
    add_write(stages);
}

}  // namespace sluice::pipeline
