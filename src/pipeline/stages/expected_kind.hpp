// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/element.hpp>

#include <string>

namespace sluice::pipeline {

// What a stage takes, where the description could not tell whether it gets that. Each throws
// an error that shows the element and says what to do.
[[nodiscard]] std::string& expect_text(element& given, const char* stage);
[[nodiscard]] nlohmann::json& expect_value(element& given, const char* stage);

// The beginning of an element, for messages.
[[nodiscard]] std::string shown(element given);

}  // namespace sluice::pipeline
