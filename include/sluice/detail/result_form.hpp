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

template <result_form Form, class Source>
[[gnu::always_inline]] inline auto result_of(Source& source)
{
    if constexpr (Form == result_form::tuple)
        return source.outcome();
    else
        return source.result();
}

}  // namespace sluice::detail
