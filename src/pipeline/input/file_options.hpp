// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/stage_options.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::pipeline {

// What to read in which order: the options that all sources of files have.
struct file_options
{
    std::vector<std::string> files;
    std::string match = "*";
    std::int64_t epochs = 1;
    bool shuffle = false;
    std::optional<std::int64_t> seed;
};

// Adds them to those of a source, whose options derive from file_options.
template <class Options>
stage_options<Options>& add_file_options(stage_options<Options>& options)
{
    // The types are written out, because a member of the base is not deduced as one of
    // Options.
    return options
        .template required<std::vector<std::string>>(
            "files",
            &Options::files,
            "files, directories, patterns such as \"logs/*.gz\", or \"-\" for standard "
            "input"
        )
        .template optional<std::string>(
            "match",
            &Options::match,
            "which files of directories are read, such as \"*.txt\""
        )
        .template optional<std::int64_t>(
            "epochs",
            &Options::epochs,
            "how often all files are read",
            {.minimum = 1}
        )
        .template optional<bool>(
            "shuffle",
            &Options::shuffle,
            "whether each epoch reads the files in another order"
        )
        .template optional<std::optional<std::int64_t>>(
            "seed",
            &Options::seed,
            "what the orders depend on; without it they differ from run to run"
        );
}

}  // namespace sluice::pipeline
