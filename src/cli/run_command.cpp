// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "run_command.hpp"

#include "command_error.hpp"
#include "description_file.hpp"
#include "pipeline/stages/result_file.hpp"
#include "pipeline_run.hpp"
#include "report.hpp"
#include "snapshot_json.hpp"
#include "terminal.hpp"

#include <chrono>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>

namespace sluice::cli {

namespace {

// How long the last words wait for somebody who reads slowly.
constexpr std::chrono::seconds patience(2);

// Where the report goes if not to standard error; opened before the run, not to lose it.
class report_file
{
public:
    explicit report_file(const report_arguments& arguments)
    {
        if (arguments.file.empty())
            return;
        try {
            file_.emplace(arguments.file).open();
        } catch (const std::exception& error) {
            throw command_error(
                exit_status::refused,
                std::string("sluice: ") + error.what()
            );
        }
    }

    void write(const std::string& text)
    {
        if (!file_) {
            write_for_person(STDERR_FILENO, text, patience);
            return;
        }
        file_->write(text);
        file_->complete();
    }

private:
    std::optional<pipeline::result_file> file_;
};

void write_report(
    report_format format,
    report_file& report,
    const pipeline::pipeline_snapshot& snapshot,
    const run_outcome& outcome
)
{
    switch (format) {
    case report_format::text:
        report.write(report_text(snapshot, outcome));
        break;
    case report_format::json:
        report.write(to_line(report_json(snapshot, outcome)));
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
    report_format format,
    report_file& report,
    const pipeline::pipeline_snapshot& snapshot,
    const run_outcome& outcome
)
{
    exit_status status = outcome.status();
    try {
        write_report(format, report, snapshot, outcome);
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
    auto checked = load_description(arguments.description, stages);
    report_file report(arguments.report);
    pipeline_run run(std::move(checked), arguments);
    const run_outcome outcome = run.run();
    const exit_status status =
        conclude(arguments.report.format, report, run.snapshot(), outcome);
    if (run.has_stragglers()) {  // the destructor would wait for them
        run.abandon();
        std::_Exit(static_cast<int>(status));
    }
    return status;
}

}  // namespace sluice::cli
