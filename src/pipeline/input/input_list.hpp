// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/input/dealer.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_options.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

// What stands for standard input where a file is named.
inline constexpr std::string_view standard_input = "-";

// A file to read, and its size, unless that cannot be known before.
struct found_input
{
    std::string path;
    std::optional<std::uint64_t> size;
};

// Whether a name stands for standard input: "-", or another name of it, such as /dev/stdin.
[[nodiscard]] bool is_standard_input(const std::string& name);

// The folders among what a pattern, or a name, stands for; those that cannot be read are left out.
[[nodiscard]] std::vector<std::string> find_folders(const std::string& pattern);

// What to read in which order: the options that all sources of files have.
struct file_options : order_options
{
    std::vector<std::string> files;
    std::string match = "*";
    byte_size longest_record = {64 * 1024 * 1024};
    double most_expansion = 1000;
};

// Adds them to those of a source, whose options derive from file_options.
template <class Options>
stage_options<Options>& add_file_options(stage_options<Options>& options)
{
    options
        .required(
            "files",
            &Options::files,
            "files, directories, patterns such as \"logs/*.gz\", or \"-\" for standard "
            "input"
        )
        .optional(
            "match",
            &Options::match,
            "which files of directories are read, such as \"*.txt\""
        )
        .optional(
            "longest_record",
            &Options::longest_record,
            "the most bytes of a line or record; a longer one is an error"
        )
        .optional(
            "most_expansion",
            &Options::most_expansion,
            "how many times its size a compressed file of more than 64 MiB may expand to",
            {.minimum = 1}
        );
    return add_order_options(
        options,
        "how often all files are read",
        "whether each epoch reads the files in another order"
    );
}

// A reader of standard input has one, for as long as another could ask for it: of two
// readers at a time each would get pieces, and one that comes later nothing.
class standard_input_claim
{
public:
    // Throws if there is another one in this process.
    standard_input_claim()
    {
        if (is_claimed_.exchange(true))
            throw std::runtime_error(
                "standard input is read twice, by two sources; give one of them a file"
            );
    }
    standard_input_claim(const standard_input_claim&) = delete;
    standard_input_claim& operator=(const standard_input_claim&) = delete;
    ~standard_input_claim() { is_claimed_ = false; }

private:
    static inline std::atomic<bool> is_claimed_ = false;  // of the process
};

// Deals the files of a source to its workers, epoch after epoch, and knows how much of them
// has been read. All members may be called from any thread.
class input_list
{
public:
    // Throws option_error if the options do not go together. Nothing is looked for yet.
    explicit input_list(file_options options);

    // Those that concern the content of the files.
    [[nodiscard]] std::uint64_t longest_record() const noexcept
    {
        return options_.longest_record.count;
    }

    [[nodiscard]] double most_expansion() const noexcept
    {
        return options_.most_expansion;
    }

    // The next file; nothing when all epochs have been dealt. The first call looks for the
    // files, which may take a while, and throws if there are none. Throws if it is standard
    // input and another stage reads that.
    [[nodiscard]] std::optional<std::string> next();

    // What it is going to look for.
    [[nodiscard]] stage_files files() const;

    // Takes note that so many bytes have been read.
    void add_progress(std::size_t bytes) noexcept
    {
        read_.fetch_add(bytes, std::memory_order_relaxed);
    }

    // Read bytes in relation to all; nothing before they are known, or if they cannot be.
    [[nodiscard]] std::optional<double> progress() const noexcept;

    // How many files there are, those of all epochs; nothing before they are known.
    [[nodiscard]] std::optional<std::size_t> parts() const noexcept;

private:
    void find();

    file_options options_;  // constant after construction
    std::mutex mutex_;
    std::vector<found_input> inputs_;            // guarded by mutex_
    std::optional<dealer> order_;                // of the inputs; guarded by mutex_
    std::optional<standard_input_claim> claim_;  // guarded by mutex_
    std::atomic<std::size_t> parts_ = 0;         // of all epochs; 0: not known
    std::atomic<double> total_ = 0;              // bytes of all epochs; 0: not known
    std::atomic<std::uint64_t> read_ = 0;        // bytes
};

}  // namespace sluice::pipeline
