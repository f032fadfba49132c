// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/report/flow_graph.hpp>

#include <string>

namespace sluice::report {

// A GraphDef. Throws errc::invalid_argument if names are not unique or edges lead nowhere.
[[nodiscard]] std::string graph_message(const flow_graph& graph);

}  // namespace sluice::report
