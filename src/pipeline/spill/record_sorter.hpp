// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/spill/run.hpp"
#include "pipeline/spill/run_set.hpp"
#include "pipeline/spill/sorted_chunks.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline::spill {

struct sorter_options
{
    std::uint64_t memory;  // in bytes; what does not fit goes to disk
    std::size_t most = 0;  // how many of the first records are wanted; 0: all
    std::size_t most_runs_at_once = 128;
};

// Records in the order of their keys, of any number: those beyond a limit of memory go to disk.
/*
 * What takes long is done in steps, each a fraction of a second, so that a stop need not wait.
 * First any number of add(), with spill_step() until it is false wherever is_full(). Then
 * prepare_step() until it is false. Then has_record() and next().
 */
class record_sorter
{
public:
    explicit record_sorter(const sorter_options& options);

    record_sorter(const record_sorter&) = delete;
    record_sorter& operator=(const record_sorter&) = delete;

    void add(std::string_view key, std::string_view value);

    [[nodiscard]] bool is_full() const noexcept;
    [[nodiscard]] bool spill_step();
    [[nodiscard]] bool prepare_step();

    // Whether there is a current record; no more than are wanted.
    [[nodiscard]] bool has_record() const noexcept;
    void next();
    [[nodiscard]] std::string_view key() const;
    void append_value(std::string& out) const;

private:
    // The key is behind its size and that of the value, and the value behind it.
    struct stored_record
    {
        [[nodiscard]] std::string_view key() const;
        void append_value(std::string& out) const;

        const char* at;
    };

    using chunk_merge = merge<sorted_chunks<stored_record>::reader>;

    // Of all that is in memory a run.
    struct spilling
    {
        chunk_merge from;
        run_writer to;
    };

    [[nodiscard]] char* allocate(std::size_t size);

    const sorter_options options_;
    std::vector<std::unique_ptr<char[]>> blocks_;
    char* free_ = nullptr;         // in the last block
    std::size_t free_size_ = 0;    // there
    std::size_t block_bytes_ = 0;  // of all blocks
    sorted_chunks<stored_record> chunks_;
    std::optional<std::string> bound_;  // no key from here on is wanted
    std::shared_ptr<io::unnamed_file> file_;
    std::optional<spilling> spilling_;
    run_set runs_;
    std::optional<chunk_merge> in_memory_;      // what is given, if nothing is on disk
    std::optional<merge<run_reader>> on_disk_;  // what is given, else
    std::size_t given_ = 0;
};

}  // namespace sluice::pipeline::spill
