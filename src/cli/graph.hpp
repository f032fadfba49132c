// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/pipeline_description.hpp>

#include <string>

namespace sluice::cli {

// A pipeline in the language of Graphviz: runners are boxes, queues are rounded, arrows say where
// elements go.
[[nodiscard]] std::string to_dot(const pipeline::pipeline_description& description);

}  // namespace sluice::cli
