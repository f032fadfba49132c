// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/stage_options.hpp>

#include <cstddef>
#include <cstdint>

// The option that says how much memory a stage may take for what it keeps.
namespace sluice::pipeline {

struct memory_options
{
    byte_size memory = {std::uint64_t{256} << 20U};
};

// Adds it to those of a stage, whose options derive from memory_options.
template <class Options>
stage_options<Options>& add_memory_option(stage_options<Options>& options)
{
    return options.optional(
        "memory",
        &Options::memory,
        "how much memory it may take for what it keeps; more is an error"
    );
}

// What helps, besides more of it.
constexpr const char* sort_first = R"(sort the keys first, with "command": "sort" as in )"
                                   "docs/pipelines/cli.md#more-keys-than-memory-holds";

// Throws what is told where the totals of so many keys take more.
[[noreturn]] void fail_beyond_memory(
    std::uint64_t memory,
    std::size_t keys,
    const char* advice
);

}  // namespace sluice::pipeline
