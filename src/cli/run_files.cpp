// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "run_files.hpp"

#include "io/same_file.hpp"
#include "terminal.hpp"
#include "text/printable.hpp"
#include <sluice/error.hpp>
#include <sluice/metrics/bottleneck.hpp>
#include <sluice/metrics/figures.hpp>
#include <sluice/report/prometheus.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sluice::cli {

namespace {

// What is written about a run must not replace what the run is about, nor what another option
// writes. Nor must a source read the summaries, which grow while it does.
void expect_own_files(
    const command_line& line,
    const pipeline::checked_description& checked
)
{
    const std::pair<const char*, const std::string&> files[] = {
        {"--report", line.run.report_file},
        {"--metrics", line.run.metrics_file},
        {"--trace", line.run.trace_file}
    };
    std::map<std::string, std::string> uses{
        {io::real_path(line.description.file), "it is the description"}
    };
    for (const auto& [option, path] : files) {
        if (path.empty() || !io::can_be_replaced(path))
            continue;
        const auto [other, is_own] =
            uses.emplace(io::real_path(path), fmt::format("{} writes it", option));
        const std::string use = is_own ? checked.use_of_file(path) : other->second;
        if (!use.empty())
            throw command_error(fmt::format(
                "sluice: {} would replace {}: {}",
                option,
                text::printable(path),
                use
            ));
    }
    const std::string& directory = line.run.summary_directory;
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

// A pipe's reader would take the end of the first figures for the end of all.
void open_metrics(io::result_file& file, const std::string& path)
{
    std::error_code ignored;
    if (std::filesystem::is_fifo(path, ignored) && !io::descriptor_named(path))
        throw std::runtime_error(fmt::format(
            "cannot replace {}: it is a pipe; give --metrics the name of a file",
            text::printable(path)
        ));
    file.open();
}

// As a whole each time, as the textfile collector of the node exporter wants it.
void replace_metrics(const std::string& path, const metrics::snapshot& now)
{
    io::result_file file(path);
    open_metrics(file, path);
    file.write(report::to_prometheus(now));
    file.complete();
}

std::int64_t step_of(const metrics::snapshot& run)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(run.elapsed).count();
}

summary_writer open_summaries(const std::string& directory)
try {
    return summary_writer{directory};
} catch (const system_error& error) {
    throw command_error(fmt::format(
        "sluice: cannot write summaries to {}: {}",
        text::printable(directory),
        error.code().message()
    ));
}

}  // namespace

run_summaries::run_summaries(const std::string& directory)
    : log_(open_summaries(directory))
{
}

void run_summaries::update(const metrics::snapshot& now)
{
    const metrics::rates rates = rates_between(before_, now);
    // At the end too little time may have passed for a rate, unless there is none yet.
    const bool has_rates = now.elapsed < interval ||
                           now.elapsed - before_.elapsed >= interval / 2;
    const auto add = [this, step = step_of(now)](const std::string& name, double value) {
        log_.scalar(name, value, step);
    };
    for (std::size_t i = 0; i < now.queues.size(); ++i) {
        const metrics::queue_snapshot& queue = now.queues[i];
        const std::string tag = "queue/" + queue.name;
        if (is_known(queue))
            add(tag + "/size", static_cast<double>(queue.stats.size));
        // What a server had before this run is no rate of it.
        const bool was_known = !queue.remote ||
                               (i < before_.queues.size() && is_known(before_.queues[i]));
        if (!has_rates || !was_known)
            continue;
        add(tag + "/enqueued_per_s", rates.queues[i].enqueued);
        add(tag + "/dequeued_per_s", rates.queues[i].dequeued);
    }
    for (std::size_t i = 0; i < now.runners.size(); ++i) {
        const metrics::runner_snapshot& runner = now.runners[i];
        const std::string tag = "runner/" + runner.name;
        add(tag + "/busy", share_of_time(runner.busy, runner));
        add(tag + "/ready", share_of_time(runner.ready, runner));
        if (has_rates)
            add(tag + "/items_per_s", rates.runners[i]);
    }
    if (has_rates)
        before_ = now;
}

void run_summaries::finish(const metrics::snapshot& last)
{
    update(last);
    log_.text("bottleneck", describe_bottleneck(last), step_of(last));
    log_.flush();
}

run_files::run_files(
    const command_line& line,
    const pipeline::checked_description& checked
)
    : format_(line.run.report), metrics_(line.run.metrics_file)
{
    const run_arguments& arguments = line.run;
    expect_own_files(line, checked);
    try {
        if (!arguments.report_file.empty())
            report_file_.emplace(arguments.report_file).open();
        if (!metrics_.empty()) {
            metrics_ = io::path_of_result(metrics_);
            io::result_file only_opened(metrics_);
            open_metrics(only_opened, metrics_);
        }
        if (!arguments.trace_file.empty()) {
            trace_file_.emplace(arguments.trace_file).open();
            trace_.emplace(checked.description().name);
        }
    } catch (const std::exception& error) {
        throw command_error(fmt::format("sluice: {}", error.what()));
    }
    if (!arguments.summary_directory.empty())
        summaries_.emplace(arguments.summary_directory);
}

std::vector<run_files::look> run_files::looks()
{
    using namespace std::chrono_literals;
    using metrics::snapshot;
    const auto try_metrics = [this](const snapshot& now) {
        try {
            replace_metrics(metrics_, now);
        } catch (const std::exception&) {
            // told at the end, if it is so then
        }
    };
    std::vector<look> result;
    if (!metrics_.empty())
        result.push_back({5s, try_metrics});
    if (summaries_)
        result.push_back({run_summaries::interval, [this](const snapshot& now) {
                              summaries_->update(now);
                          }});
    if (trace_)
        result.push_back({10ms, [this](const snapshot& now) { trace_->add_figures(now); }}
        );
    return result;
}

exit_status run_files::write(const metrics::snapshot& last, run_outcome outcome)
{
    const auto attempt = [](std::vector<std::string>& errors, const auto& action) {
        try {
            action();
        } catch (const std::exception& error) {
            errors.emplace_back(error.what());
        }
    };
    if (!metrics_.empty())
        attempt(outcome.unwritten, [&] { replace_metrics(metrics_, last); });
    if (trace_)
        attempt(outcome.unwritten, [this] {
            trace_file_->write(trace_->to_json());
            trace_file_->complete();
        });
    if (summaries_)
        attempt(outcome.unwritten, [&] { summaries_->finish(last); });
    bool is_shown = false;
    std::vector<std::string> errors;
    attempt(errors, [&] { is_shown = show(last, outcome); });
    const exit_status status = outcome.status();
    const bool has_failed = !errors.empty() || (!is_shown && status == exit_status::done);
    errors.insert(errors.end(), outcome.unwritten.begin(), outcome.unwritten.end());
    if (!outcome.error.empty())
        errors.push_back(outcome.error);
    for (const std::string& error : errors)
        show_message(fmt::format("sluice: {}\n", error));
    return has_failed ? exit_status::failed : status;
}

// False if standard error has not taken all of it, where nothing can be said about that either.
bool run_files::show(const metrics::snapshot& last, const run_outcome& outcome)
{
    if (format_ == report_format::none)
        return true;
    if (format_ == report_format::text)
        return show_message(report_text(last, outcome, columns_for(STDERR_FILENO)));
    // Bytes that are not UTF-8, in messages, are replaced.
    using error_handler = nlohmann::ordered_json::error_handler_t;
    const std::string line =
        report_json(last, outcome).dump(-1, ' ', false, error_handler::replace) + "\n";
    if (!report_file_)
        return write_best_effort(STDERR_FILENO, line, patience_at_the_end) == line.size();
    report_file_->write(line);
    report_file_->complete();
    return true;
}

void run_files::abandon() noexcept
{
    for (auto* const file : {&report_file_, &trace_file_})
        if (*file)
            (*file)->discard();
}

}  // namespace sluice::cli
