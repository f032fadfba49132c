// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/pipeline_snapshot.hpp>

#include <nlohmann/json.hpp>

namespace sluice::cli {

// A snapshot as programs read it; times are in seconds.
[[nodiscard]] nlohmann::ordered_json to_json(const pipeline::pipeline_snapshot& snapshot);

// JSON in one line. Bytes that are not UTF-8, in names and messages, are replaced.
[[nodiscard]] std::string to_line(const nlohmann::ordered_json& document);

}  // namespace sluice::cli
