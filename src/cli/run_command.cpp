// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "run_command.hpp"

#include "description_file.hpp"
#include "pipeline_run.hpp"
#include "report.hpp"
#include "report_file.hpp"
#include "snapshot_json.hpp"
#include "terminal.hpp"

#include <chrono>
#include <cstdlib>
#include <exception>
#include <string>
#include <unistd.h>

namespace sluice::cli {

namespace {

// How long the last words wait for somebody who reads slowly.
constexpr std::chrono::seconds patience(2);

void write_report(
    const report_arguments& arguments,
    const pipeline::pipeline_snapshot& snapshot,
    const run_outcome& outcome
)
{
    switch (arguments.format) {
    case report_format::text:
        write_for_person(STDERR_FILENO, report_text(snapshot, outcome), patience);
        break;
    case report_format::json:
        if (const std::string text = to_line(report_json(snapshot, outcome));
            arguments.file.empty())
            write_for_person(STDERR_FILENO, text, patience);
        else
            write_report_file(arguments.file, text);
        break;
    case report_format::none:
        break;
    }
}

void write_error(const std::string& error)
{
    write_for_person(STDERR_FILENO, "sluice: " + error + "\n", patience);
}

// Writes report and error; the error last, where a person looks first.
exit_status conclude(
    const report_arguments& arguments,
    const pipeline::pipeline_snapshot& snapshot,
    const run_outcome& outcome
)
{
    exit_status status = outcome.status();
    try {
        write_report(arguments, snapshot, outcome);
    } catch (const std::exception& error) {
        write_error(error.what());
        status = exit_status::failed;
    }
    if (!outcome.error.empty())
        write_error(outcome.error);
    return status;
}

}  // namespace

exit_status run_command(
    const run_arguments& arguments,
    const pipeline::stage_registry& stages
)
{
    const auto description = load_description(arguments.description, stages);
    pipeline_run run(description, stages, arguments);
    const run_outcome outcome = run.run();
    const exit_status status = conclude(arguments.report, run.snapshot(), outcome);
    if (run.has_stragglers()) {  // the destructor would wait for them
        run.abandon();
        std::_Exit(static_cast<int>(status));
    }
    return status;
}

}  // namespace sluice::cli
