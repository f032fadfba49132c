// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/input/file_options.hpp"
#include "pipeline/input/find_inputs.hpp"
#include "pipeline/input/standard_input_claim.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace sluice::pipeline {

// Deals the files of a source to its workers, epoch after epoch, and knows how much of them
// has been read. All members may be called from any thread.
class input_list
{
public:
    // Throws option_error if the options do not go together. Nothing is looked for yet.
    explicit input_list(file_options options);

    // The next file; nothing when all epochs have been dealt. The first call looks for the
    // files, which may take a while, and throws if there are none. Throws if it is standard
    // input and somebody else reads that.
    [[nodiscard]] std::optional<std::string> next();

    // Takes note that so many bytes have been read.
    void add_progress(std::size_t bytes) noexcept;

    // Read bytes in relation to all; nothing before they are known, or if they cannot be.
    [[nodiscard]] std::optional<double> progress() const noexcept;

private:
    void find();
    void begin_epoch();

    const file_options options_;
    std::mutex mutex_;
    std::vector<found_input> inputs_;            // guarded by mutex_
    std::optional<standard_input_claim> claim_;  // guarded by mutex_
    std::size_t next_ = 0;                       // index; guarded by mutex_
    std::int64_t epochs_left_;                   // not begun; guarded by mutex_
    std::mt19937_64 random_;                     // guarded by mutex_
    std::atomic<std::uint64_t> total_ = 0;       // bytes of all epochs; 0: not known
    std::atomic<std::uint64_t> read_ = 0;        // bytes
};

}  // namespace sluice::pipeline
