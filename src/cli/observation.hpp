// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "command_line.hpp"
#include "io/result_file.hpp"
#include <sluice/metrics/snapshot.hpp>
#include <sluice/report/trace.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace sluice::cli {

// What --metrics writes: a file that is replaced as a whole each time, as the textfile collector of
// the node exporter wants it.
class metrics_file
{
public:
    static constexpr std::chrono::seconds interval{5};

    // Refuses one that cannot be written, before the run.
    explicit metrics_file(std::string path);

    // Later failures are told at the end: a run does not end because it cannot be watched.
    void update(const metrics::snapshot& now) noexcept;

    // Why the last update failed; empty if it did not.
    [[nodiscard]] const std::string& error() const noexcept { return error_; }

private:
    const std::string path_;
    std::string error_;
};

// What --trace writes at the end.
class trace_file
{
public:
    // How often the sizes of the queues are looked at.
    static constexpr std::chrono::milliseconds interval{10};

    trace_file(const std::string& path, std::string pipeline);

    [[nodiscard]] report::trace& events() noexcept { return events_; }

    void write();

    // Removes the file that has not been written, for a process that ends at once. Any thread.
    void abandon() noexcept { file_.discard(); }

private:
    io::result_file file_;
    report::trace events_;
};

}  // namespace sluice::cli
