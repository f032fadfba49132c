// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a stage of one's own in a described pipeline: a struct with its options, a class
// with its work, and one call that registers both. The description names it like any other
// stage, and its options are checked like theirs.
// Expect: twelve words, each with its exclamation marks, and what a misspelt option gets.

#include "../co_main.hpp"
#include <sluice/pipeline/builtin_stages.hpp>
#include <sluice/pipeline/read_description.hpp>
#include <sluice/pipeline/running_pipeline.hpp>

#include <cstdint>
#include <iostream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace pipeline = sluice::pipeline;

//[own_stage
struct shout_options
{
    std::string suffix = "!";
    std::int64_t times = 1;
};

// Makes each text louder. A transform reads, applies and writes; its workers call apply()
// concurrently.
class shout final : public pipeline::transform
{
public:
    explicit shout(shout_options options) : options_(std::move(options)) {}

    void apply(pipeline::element&& in, std::vector<pipeline::element>& out) const override
    {
        std::string& text = in.text();
        for (std::int64_t i = 0; i < options_.times; ++i)
            text += options_.suffix;
        out.push_back(std::move(in));
    }

private:
    shout_options options_;
};

void add_shout(pipeline::stage_registry& stages)
{
    stages.add<shout>(
        {.name = "shout",
         .summary = "appends exclamation marks",
         .takes = pipeline::element_kind::text,
         .gives = pipeline::element_kind::text},
        pipeline::stage_options<shout_options>()
            .optional("suffix", &shout_options::suffix, "what to append")
            .optional("times", &shout_options::times, "how often", {.minimum = 1})
    );
}
//]

constexpr const char* louder = R"({
    "name": "louder",
    "queues": { "words": {}, "loud": {} },
    "runners": [
        {
            "stage": "list",
            "options": { "items": ["easy", "to", "wait", "for"], "epochs": 3 },
            "to": "words"
        },
        { "stage": "shout", "options": { "times": 3 }, "from": "words", "to": "loud" },
        { "stage": "write", "from": "loud" }
    ]
})";

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments)
{
    //[run_description
    pipeline::stage_registry stages;
    pipeline::add_builtin_stages(stages);
    add_shout(stages);

    auto checked = pipeline::read_description(louder, stages);
    pipeline::descriptor_output out(STDOUT_FILENO, "standard output");
    pipeline::running_pipeline run(pool.get_executor(), std::move(checked), out);
    co_await run.run();  // throws the first error of a stage
    //]

    try {
        (void)pipeline::read_description(
            louder,
            stages,
            {{.pointer = "/runners/1/options", .value = R"({"time": 3})"}}
        );
    } catch (const pipeline::description_error& error) {
        std::cout << error.what() << '\n';
    }
}
