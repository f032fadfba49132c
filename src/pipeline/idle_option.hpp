// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <fmt/format.h>

namespace sluice::pipeline {

// For an option that does nothing unless something else is there, such as `"as" is "csv"`. Throws
// option_error if its value is another than the default: its author expects an effect.
template <class T>
void expect_default(
    const char* option,
    const T& value,
    const T& default_value,
    const char* unless
)
{
    if (value != default_value)
        throw option_error(
            option,
            detail::in_json(detail::to_json_value(value)),
            fmt::format("no such option, unless {}", unless)
        );
}

}  // namespace sluice::pipeline
