// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/error_policy.hpp>

namespace sluice::pipeline {

const char* to_string(error_action action) noexcept
{
    switch (action) {
    case error_action::fail:
        return "fail";
    case error_action::skip:
        return "skip";
    case error_action::divert:
        return "to";
    }
    return "unknown";
}

}  // namespace sluice::pipeline
