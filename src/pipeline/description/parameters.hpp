// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/description/document.hpp"
#include <sluice/pipeline/read_description.hpp>

#include <string>
#include <vector>

namespace sluice::pipeline::detail {

// Whether ${text} is a parameter.
[[nodiscard]] bool is_parameter_name(const std::string& text);

// Replaces ${NAME} in all strings of a document by the value of that parameter, and $${NAME}
// by ${NAME}. A parameter without a value is a problem. Other dollars stay as they are.
void replace_parameters(
    document_node& root,
    const parameter_lookup& values,
    std::vector<problem>& problems
);

}  // namespace sluice::pipeline::detail
