// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/io_context_pool.hpp>
#include <sluice/pipeline/builtin_stages.hpp>
#include <sluice/pipeline/read_description.hpp>
#include <sluice/pipeline/running_pipeline.hpp>

#include <utility>

int main()
{
    namespace pipeline = sluice::pipeline;

    pipeline::stage_registry stages;
    pipeline::add_builtin_stages(stages);
    auto checked = pipeline::read_description(
        R"({
            "queues": { "answers": {} },
            "runners": [
                { "stage": "list", "options": { "items": ["42"] }, "to": "answers" },
                { "stage": "write", "from": "answers" }
            ]
        })",
        stages
    );

    sluice::io_context_pool pool{1};
    pipeline::memory_output out;
    pipeline::running_pipeline run(pool.get_executor(), std::move(checked), out);
    pool.run(run.run());
    return out.text() == "42\n" ? 0 : 1;
}
