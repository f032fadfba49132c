// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "interruption_core.hpp"
#include "report.hpp"
#include <sluice/metrics/snapshot.hpp>
#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/running_pipeline.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <set>
#include <string>
#include <vector>

// What is said of servers and workers that hold up a run, while it lasts and at its end.
namespace sluice::cli {

// Tells of servers that cannot be reached, once for each time, and of what went wrong with queues.
class server_outages
{
public:
    // A line for each problem that is new since the last call.
    [[nodiscard]] std::vector<std::string> news(const metrics::snapshot& now);

private:
    // Queues whose server was out of reach at the last call, and warnings of queues.
    std::set<std::string> told_;
};

// What has gone wrong with a queue, or may.
[[nodiscard]] std::string warning_of(const metrics::queue_snapshot& queue);

// What has been lost of which queues, as one sentence; empty if it is nothing.
[[nodiscard]] std::string describe_losses(const metrics::snapshot& now);

// The queues whose server has not answered at all, because it cannot be reached or is
// silent: what is meant for them has nowhere to go. One sentence; empty if there are none.
[[nodiscard]] std::string describe_unheard(const metrics::snapshot& now);

// What is said of the end of a run, also of one whose workers have not ended: whose they are, and
// what can be done about it. The pipeline and the description must live as long.
class run_ending
{
public:
    run_ending(
        const pipeline::running_pipeline& pipeline,
        const pipeline::pipeline_description& description,
        std::optional<std::chrono::nanoseconds> timeout
    )
        : pipeline_(pipeline), description_(description), timeout_(timeout)
    {
    }

    // Of a pipeline that has ended, with or without an error.
    [[nodiscard]] run_outcome outcome(run_end end, const std::exception_ptr& error) const;

    // Of a run that is given up.
    [[nodiscard]] run_outcome outcome_without_end(
        run_end end,
        const metrics::snapshot& now
    ) const;

    // Why a run has timed out, with the error that it has besides, if there is one.
    [[nodiscard]] std::string timeout_text(const std::string& error) const;

    // The wait of a sink that a stop has ended; empty if there was none.
    [[nodiscard]] std::string ended_wait(run_end end) const;

private:
    [[nodiscard]] std::string text_of(const std::exception_ptr& error) const;
    [[nodiscard]] std::string overdue_workers(const metrics::snapshot& now) const;

    const pipeline::running_pipeline& pipeline_;
    const pipeline::pipeline_description& description_;
    std::optional<std::chrono::nanoseconds> timeout_;
};

// Whether there are workers that have not ended.
[[nodiscard]] bool has_running_workers(const metrics::snapshot& now);

}  // namespace sluice::cli
