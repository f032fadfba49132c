// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "io/unnamed_file.hpp"
#include "pipeline/spill/merge.hpp"
#include "pipeline/spill/run.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline::spill {

// How many records are worked on in one step, after which a stop is heeded.
inline constexpr std::size_t step_size = 16 * 1024;

// Writes some more records of a merge; false if there are no more.
template <class Merge>
bool write_step(Merge& from, run_writer& to)
{
    std::string value;
    for (std::size_t i = 0; i < step_size && from.has_record(); ++i) {
        value.clear();
        from.record().append_value(value);
        to.add(from.record().key(), value);
        from.next();
    }
    return from.has_record();
}

// Runs that are to be read as one. Their number may be any, that of those read at a time not.
class run_set
{
public:
    explicit run_set(std::size_t most_at_once = 128) : most_at_once_(most_at_once) {}

    void add(run added) { runs_.push_back(std::move(added)); }

    [[nodiscard]] bool empty() const noexcept { return runs_.empty(); }

    // Makes fewer runs of them, until all can be read at once; false if they can.
    [[nodiscard]] bool reduce_step();

    // All records in order. @pre reduce_step() has returned false.
    [[nodiscard]] merge<run_reader> merged() const;

private:
    // Of the first runs another one.
    struct reduction
    {
        merge<run_reader> from;
        run_writer to;
    };

    [[nodiscard]] merge<run_reader> merged(std::size_t count) const;

    std::size_t most_at_once_;
    std::vector<run> runs_;
    std::optional<reduction> reduction_;
};

}  // namespace sluice::pipeline::spill
