// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "command_line.hpp"
#include "io/result_file.hpp"
#include "report.hpp"
#include <sluice/metrics/snapshot.hpp>
#include <sluice/pipeline/checked_description.hpp>
#include <sluice/report/trace.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sluice::cli {

// What is written about a run: --report, --metrics and --trace.
class run_files
{
public:
    // Opens all that is written at the end, so that a run whose report would be lost is refused,
    // and refuses files that the run is about.
    run_files(const command_line& line, const pipeline::checked_description& checked);

    // Null without --trace.
    [[nodiscard]] report::trace* trace() noexcept { return trace_ ? &*trace_ : nullptr; }

    // What is to be done with the state of the run, and how often.
    struct look
    {
        std::chrono::milliseconds interval;
        std::function<void(const metrics::snapshot&)> at;
    };

    [[nodiscard]] std::vector<look> looks();

    // Writes everything at the end of the run. Then come the report and the errors, that of the run
    // last, because users read the end first. Returns the status of the program.
    [[nodiscard]] exit_status write(const metrics::snapshot& last, run_outcome outcome);

    // Removes what has not been written, for a process that ends at once. Any thread.
    void abandon() noexcept;

private:
    void show(const metrics::snapshot& last, const run_outcome& outcome);

    const std::string format_;
    const std::string metrics_;                   // the path; empty: none
    std::optional<io::result_file> report_file_;  // none: standard error
    std::optional<io::result_file> trace_file_;
    std::optional<report::trace> trace_;
};

}  // namespace sluice::cli
