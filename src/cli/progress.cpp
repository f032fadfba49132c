// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "progress.hpp"

#include "report.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"
#include <sluice/metrics/figures.hpp>
#include <sluice/report/snapshot_json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace sluice::cli {

namespace {

std::string total(const metrics::snapshot& now)
{
    constexpr std::size_t length = 20;
    std::string line = fmt::format(
        "{}: {}, {}",
        now.name,
        to_string(now.state),
        format_duration(now.elapsed)
    );
    if (const auto share = progress_of(now)) {
        const std::string bar(static_cast<std::size_t>(*share * length), '#');
        line += fmt::format(" [{:.<{}}] {}", bar, length, text::percent(*share));
    }
    if (const auto left = time_left(now))
        line += fmt::format(", about {} left", format_duration(*left));
    return line;
}

}  // namespace

std::vector<std::string> display_lines(const metrics::snapshot& now, terminal_size size)
{
    std::vector<std::string> lines = figure_lines(now, size.columns);
    // The cursor stands behind the last line, which therefore needs one more.
    lines.resize(std::min(lines.size(), std::max<std::size_t>(size.lines, 2) - 2));
    lines.push_back(cut_to_end(total(now), size.columns));
    return lines;
}

progress::progress(const std::string& mode, int descriptor, pipeline::output& results)
    : mode_(mode), descriptor_(descriptor), lines_(descriptor, results)
{
    if (mode_ == "auto")
        mode_ = is_terminal(descriptor) ? "bar" : "none";
}

std::chrono::milliseconds progress::interval() const noexcept
{
    return std::chrono::milliseconds(mode_ == "bar" ? 200 : 1000);
}

void progress::show(const metrics::snapshot& now)
{
    if (mode_ == "bar")
        lines_.draw(display_lines(now, size_of_terminal(descriptor_)));
    if (mode_ != "json")
        return;
    if (unsent_.empty())
        unsent_ = report::to_json(now) + "\n";
    send();
}

void progress::note(std::string_view lines)
{
    if (lines.empty())
        return;
    lines_.erase();
    unsent_.append(text::printable_lines(lines)).append("\n");
    send();
}

void progress::end()
{
    lines_.erase();
    write_best_effort(descriptor_, unsent_, patience_at_the_end);
}

void progress::send()
{
    unsent_.erase(0, write_best_effort(descriptor_, unsent_));
}

}  // namespace sluice::cli
