// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/stage_options.hpp>

#include <cstdint>

// The option that says how much memory a stage may use before it goes on with files.
namespace sluice::pipeline::spill {

struct memory_options
{
    byte_size memory = {std::uint64_t{256} << 20U};
};

// Adds it to those of a stage, whose options derive from memory_options.
template <class Options>
stage_options<Options>& add_memory_option(stage_options<Options>& options)
{
    // The type is written out, because a member of the base is not deduced as one of Options.
    return options.template optional<byte_size>(
        "memory",
        &Options::memory,
        "how much memory it uses before it goes on in temporary files; at least 1 MiB"
    );
}

// Half of it: there is a table, and what is sorted of it. Throws option_error if it is too
// little for the pieces in which files are read and written.
[[nodiscard]] std::uint64_t half_of(const memory_options& options);

}  // namespace sluice::pipeline::spill
