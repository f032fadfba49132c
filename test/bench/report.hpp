// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "bench/harness.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace sluice::bench {

/// Writes one scenario as a table, and what became of its bars; all results are of this scenario.
void print(
    std::ostream& out,
    const scenario& subject,
    const std::vector<result>& results
);

/// All results as JSON, together with what they were measured with.
[[nodiscard]] std::string to_json(
    const std::vector<result>& results,
    const std::vector<scenario>& scenarios,
    const effort& chosen
);

}  // namespace sluice::bench
