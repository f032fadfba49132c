// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "command_line.hpp"
#include "observation.hpp"
#include "report.hpp"
#include "run_summaries.hpp"
#include <sluice/metrics/snapshot.hpp>
#include <sluice/pipeline/checked_description.hpp>
#include <sluice/pipeline/running_pipeline.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <optional>

namespace sluice::cli {

// What is written about a run: --report, --metrics, --trace and --summaries.
class run_results
{
public:
    // Refuses files that cannot be written, and those that the run is about.
    run_results(
        const run_arguments& arguments,
        const pipeline::checked_description& checked
    );

    // Null without --trace.
    [[nodiscard]] report::trace* trace() noexcept
    {
        return trace_ ? &trace_->events() : nullptr;
    }

    // Null without --metrics.
    [[nodiscard]] metrics_file* metrics() noexcept
    {
        return metrics_ ? &*metrics_ : nullptr;
    }

    // Null without --summaries.
    [[nodiscard]] run_summaries* summaries() noexcept
    {
        return summaries_ ? &*summaries_ : nullptr;
    }

    // Writes everything at the end of the run; the report last, because it ends with the errors,
    // also of the others.
    [[nodiscard]] exit_status write(const metrics::snapshot& last, run_outcome outcome);

    // Any thread.
    void abandon() noexcept;

private:
    report_writer report_;
    std::optional<metrics_file> metrics_;
    std::optional<trace_file> trace_;
    std::optional<run_summaries> summaries_;
};

// Looks at a run at intervals, for its metrics, its trace and its summaries.
class results_in_progress
{
public:
    results_in_progress(
        boost::asio::io_context& control,
        run_results& results,
        pipeline::running_pipeline& run
    );

    // Before the run; all of it happens on the event loop.
    void start();

    // After the run: no more looks but a last one.
    void end();

private:
    void add_figures();

    run_results& results_;
    pipeline::running_pipeline& run_;
    boost::asio::steady_timer metrics_timer_;
    boost::asio::steady_timer trace_timer_;
    boost::asio::steady_timer summaries_timer_;
};

}  // namespace sluice::cli
