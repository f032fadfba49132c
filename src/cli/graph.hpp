// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/pipeline_description.hpp>

#include <string>

// A pipeline as a graph: runners are boxes, queues are rounded, arrows say where elements go.
namespace sluice::cli {

// In the language of Graphviz.
[[nodiscard]] std::string to_dot(const pipeline::pipeline_description& description);

// As a Mermaid flowchart.
[[nodiscard]] std::string to_mermaid(const pipeline::pipeline_description& description);

}  // namespace sluice::cli
