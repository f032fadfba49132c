// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "command_line.hpp"
#include "io/result_file.hpp"
#include "text_format.hpp"
#include <sluice/metrics/snapshot.hpp>

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace sluice::cli {

// How a run ended.
enum class run_end
{
    done,
    failed,
    timed_out,
    drained,  // interrupted once: what had been read was processed
    stopped   // interrupted twice
};

struct run_outcome
{
    run_end end = run_end::done;
    std::string error = {};  // the first real one, in full; empty if there was none
    // Why metrics, trace or summaries could not be written: a failure of a run that had none.
    std::vector<std::string> unwritten = {};

    // As snapshots call it.
    [[nodiscard]] metrics::run_state state() const noexcept;

    [[nodiscard]] exit_status status() const noexcept;
};

// The summary as text, whose tables have at most so many columns.
[[nodiscard]] std::string report_text(
    const metrics::snapshot& snapshot,
    const run_outcome& outcome,
    std::size_t columns = unlimited_columns
);

// The summary as JSON, with all figures of the snapshot.
[[nodiscard]] nlohmann::ordered_json report_json(
    const metrics::snapshot& snapshot,
    const run_outcome& outcome
);

// Writes the report to standard error or to a file.
class report_writer
{
public:
    // Opens the file before the run, which is refused if its report would be lost.
    explicit report_writer(const report_arguments& arguments);

    // Writes the report and then the errors, that of the run last, because users read the end
    // first. Returns the status of the program; a report that cannot be written is a failure.
    [[nodiscard]] exit_status write(
        const metrics::snapshot& snapshot,
        const run_outcome& outcome
    );

    // Removes the file that has not been written, for a process that ends at once. Any thread.
    void abandon() noexcept;

private:
    [[nodiscard]] bool show(
        const metrics::snapshot& snapshot,
        const run_outcome& outcome
    );

    report_format format_;
    std::optional<io::result_file> file_;  // empty: standard error
};

}  // namespace sluice::cli
