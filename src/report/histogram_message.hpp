// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <span>
#include <string>

namespace sluice::report {

// A HistogramProto: buckets of equal width between the least and the greatest finite sample.
[[nodiscard]] std::string histogram_message(std::span<const double> samples);

}  // namespace sluice::report
