// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

namespace sluice::detail {

// What co_await gives: the value, with failures thrown, or a tuple that starts with the
// error_code.
enum class result_form : unsigned char
{
    value,
    tuple
};

}  // namespace sluice::detail
