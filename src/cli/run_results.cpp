// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "run_results.hpp"

#include "io/same_file.hpp"
#include "text/printable.hpp"
#include "timers.hpp"

#include <fmt/format.h>

#include <exception>
#include <string>

namespace sluice::cli {

namespace {

// What is written about a run must not replace what the run is about.
void expect_own_file(
    const char* option,
    const std::string& file,
    const run_arguments& arguments,
    const pipeline::checked_description& checked
)
{
    if (file.empty() || !io::can_be_replaced(file))
        return;
    const bool is_description = io::real_path(file) ==
                                io::real_path(arguments.description.file);
    const std::string use = is_description ? "it is the description"
                                           : checked.use_of_file(file);
    if (!use.empty())
        throw command_error(fmt::format(
            "sluice: {} would replace {}: {}",
            option,
            text::printable(file),
            use
        ));
}

struct written_file
{
    const char* option;
    const std::string& path;
};

// Nor must it replace what another option writes.
void expect_two_files(const written_file& one, const written_file& other)
{
    if (one.path.empty() || !io::can_be_replaced(one.path) ||
        io::real_path(one.path) != io::real_path(other.path))
        return;
    throw command_error(fmt::format(
        "sluice: {} would replace {}: {} writes it",
        other.option,
        text::printable(other.path),
        one.option
    ));
}

// Nor must a source read the summaries, which grow while it does.
void expect_no_reader(
    const std::string& directory,
    const pipeline::checked_description& checked
)
{
    if (directory.empty())
        return;
    const std::string use = checked.use_of_file(directory + "/events.out.tfevents.0");
    if (!use.empty())
        throw command_error(fmt::format(
            "sluice: --summaries would write into {}: {}",
            text::printable(directory),
            use
        ));
}

// All of them are looked at before the first one is opened.
const report_arguments& expect_own_files(
    const run_arguments& arguments,
    const pipeline::checked_description& checked
)
{
    const written_file report{"--report", arguments.report.file};
    const written_file metrics{"--metrics", arguments.metrics_file};
    const written_file trace{"--trace", arguments.trace_file};
    for (const written_file& each : {report, metrics, trace})
        expect_own_file(each.option, each.path, arguments, checked);
    expect_two_files(report, metrics);
    expect_two_files(report, trace);
    expect_two_files(metrics, trace);
    expect_no_reader(arguments.summary_directory, checked);
    return arguments.report;
}

}  // namespace

run_results::run_results(
    const run_arguments& arguments,
    const pipeline::checked_description& checked
)
    : report_(expect_own_files(arguments, checked))
{
    if (!arguments.metrics_file.empty())
        metrics_.emplace(arguments.metrics_file);
    if (!arguments.trace_file.empty())
        trace_.emplace(arguments.trace_file, checked.description().name);
    if (!arguments.summary_directory.empty())
        summaries_.emplace(arguments.summary_directory);
}

exit_status run_results::write(const metrics::snapshot& last, run_outcome outcome)
{
    if (metrics_) {
        metrics_->update(last);
        if (!metrics_->error().empty())
            outcome.unwritten.push_back(metrics_->error());
    }
    const auto attempt = [&outcome](const auto& action) {
        try {
            action();
        } catch (const std::exception& error) {
            outcome.unwritten.emplace_back(error.what());
        }
    };
    if (trace_)
        attempt([this] { trace_->write(); });
    if (summaries_)
        attempt([&] { summaries_->finish(last); });
    return report_.write(last, outcome);
}

void run_results::abandon() noexcept
{
    report_.abandon();
    if (trace_)
        trace_->abandon();
}

results_in_progress::results_in_progress(
    boost::asio::io_context& control,
    run_results& results,
    pipeline::running_pipeline& run
)
    : results_(results),
      run_(run),
      metrics_timer_(control),
      trace_timer_(control),
      summaries_timer_(control)
{
}

void results_in_progress::start()
{
    if (metrics_file* const metrics = results_.metrics())
        repeat(metrics_timer_, metrics_file::interval, [this, metrics] {
            metrics->update(run_.snapshot());
        });
    if (run_summaries* const summaries = results_.summaries())
        repeat(summaries_timer_, run_summaries::interval, [this, summaries] {
            summaries->update(run_.snapshot());
        });
    if (report::trace* const trace = results_.trace()) {
        run_.record(*trace);
        repeat(trace_timer_, trace_file::interval, [this] { add_figures(); });
    }
}

void results_in_progress::end()
{
    metrics_timer_.cancel();
    trace_timer_.cancel();
    summaries_timer_.cancel();
    if (results_.trace() == nullptr)
        return;
    run_.record_unfinished();
    add_figures();
}

void results_in_progress::add_figures()
{
    results_.trace()->add_figures(run_.snapshot());
}

}  // namespace sluice::cli
