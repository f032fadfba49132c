// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/element.hpp>
#include <sluice/pipeline/json_value.hpp>

extern "C" {
#include <jv.h>
}

// Elements as libjq has values, and back. libjq counts references without a lock, so a value
// stays with the worker that has made it.
namespace sluice::pipeline {

// A text becomes a string. Numbers become doubles, which is all that jq 1.6
// knows, and bytes that are not UTF-8 become U+FFFD. Give the result away or free it.
[[nodiscard]] jv to_jv(const element& content);

// Takes the value over. Whole numbers up to 2^53 stay whole; what is no number is null, and
// the infinities are the largest numbers, as where jq prints. Throws std::runtime_error if it
// is nested deeper than can be printed.
[[nodiscard]] json_value from_jv(jv value);

}  // namespace sluice::pipeline
