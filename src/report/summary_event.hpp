// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/report/flow_graph.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// The events of TensorBoard's files, encoded as its messages define them.
namespace sluice::report {

// When and where on the x-axis.
struct event_time
{
    double seconds = 0;  // since the epoch of Unix
    std::int64_t step = 0;
};

// The first event of a file.
[[nodiscard]] std::string version_event(double seconds);

// A program goes on at this step: what earlier files have from there on is repeated.
[[nodiscard]] std::string restart_event(event_time when);

[[nodiscard]] std::string scalar_event(
    event_time when,
    std::string_view tag,
    double value
);

[[nodiscard]] std::string histogram_event(
    event_time when,
    std::string_view tag,
    std::span<const double> samples
);

[[nodiscard]] std::string text_event(
    event_time when,
    std::string_view tag,
    std::string_view markdown
);

// Throws errc::invalid_argument if names are not unique or edges lead nowhere.
[[nodiscard]] std::string graph_event(event_time when, const flow_graph& graph);

}  // namespace sluice::report
