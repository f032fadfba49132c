// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <string>

namespace sluice::pipeline {

/// What happens when a stage cannot process an element, or a source a record.
enum class error_action : unsigned char
{
    fail,   ///< the pipeline fails
    skip,   ///< the element is left out and counted
    divert  ///< as skip, and it goes into another queue together with the error
};

/// The name of an action in descriptions, such as "skip".
[[nodiscard]] const char* to_string(error_action action) noexcept;

/// "on_error" of a described runner.
struct error_policy
{
    /// "fail", "skip" or an object; fail by default.
    error_action action = error_action::fail;

    /// "to" of that object: the queue that gets an object for each such element, with the
    /// members "runner", "error" and "element".
    std::string to = {};

    /// Equal in all members.
    friend bool operator==(const error_policy&, const error_policy&) = default;
};

}  // namespace sluice::pipeline
