// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "run_files.hpp"

#include "io/io.hpp"
#include "terminal.hpp"
#include "text/printable.hpp"
#include <sluice/report/prometheus.hpp>

#include <fmt/format.h>

#include <exception>
#include <map>
#include <stdexcept>
#include <unistd.h>
#include <utility>

namespace sluice::cli {

namespace {

// What is written about a run must not replace what the run is about, nor what another option
// writes.
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
}

// As a whole each time, as the textfile collector of the node exporter wants it.
void replace_metrics(const std::string& path, const metrics::snapshot& now)
{
    io::result_file file(path);
    file.open();
    file.write(report::to_prometheus(now));
    file.complete();
}

}  // namespace

run_files::run_files(
    const command_line& line,
    const pipeline::checked_description& checked
)
    : format_(line.run.report), metrics_(line.run.metrics_file)
{
    expect_own_files(line, checked);
    const char* option = "--report";
    try {
        if (!line.run.report_file.empty())
            report_file_.emplace(line.run.report_file).open();
        option = "--metrics";
        if (!metrics_.empty())
            io::result_file(metrics_).open();
        option = "--trace";
        if (!line.run.trace_file.empty()) {
            trace_file_.emplace(line.run.trace_file).open();
            trace_.emplace(checked.description().name);
        }
    } catch (const std::exception& error) {
        throw command_error(fmt::format("sluice: {}: {}", option, error.what()));
    }
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
    if (trace_)
        result.push_back({10ms, [this](const snapshot& now) { trace_->add_figures(now); }}
        );
    return result;
}

exit_status run_files::write(const metrics::snapshot& last, run_outcome outcome)
{
    const auto attempt = [&outcome](const auto& action) {
        try {
            action();
        } catch (const std::exception& error) {
            outcome.unwritten.emplace_back(error.what());
        }
    };
    if (!metrics_.empty())
        attempt([&] { replace_metrics(metrics_, last); });
    if (trace_)
        attempt([this] {
            trace_file_->write(trace_->to_json());
            trace_file_->complete();
        });
    attempt([&] { show(last, outcome); });
    for (const std::string& error : outcome.unwritten)
        show_message(fmt::format("sluice: {}\n", error));
    if (!outcome.error.empty())
        show_message(fmt::format("sluice: {}\n", outcome.error));
    return outcome.status();
}

void run_files::show(const metrics::snapshot& last, const run_outcome& outcome)
{
    bool is_shown = true;
    if (format_ == "text") {
        is_shown = show_message(report_text(last, outcome, columns_for(STDERR_FILENO)));
    } else if (format_ == "json") {
        // Bytes that are not UTF-8, in messages, are replaced.
        using error_handler = nlohmann::ordered_json::error_handler_t;
        const std::string line =
            report_json(last, outcome).dump(-1, ' ', false, error_handler::replace) +
            "\n";
        if (report_file_) {
            report_file_->write(line);
            report_file_->complete();
        } else {
            is_shown = write_best_effort(STDERR_FILENO, line, patience_at_the_end) ==
                       line.size();
        }
    }
    if (!is_shown)
        throw std::runtime_error("cannot write the summary to standard error");
}

void run_files::abandon() noexcept
{
    for (auto* const file : {&report_file_, &trace_file_})
        if (*file)
            (*file)->discard();
}

}  // namespace sluice::cli
