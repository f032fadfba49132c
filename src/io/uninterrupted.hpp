// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cerrno>

// Alone in this header, because the component report uses it, too, which is built without libfmt.
namespace sluice::io {

// Calls a system call until no signal interrupts it, and gives its result.
template <class Call>
auto uninterrupted(const Call& call)
{
    auto result = call();
    while (result == -1 && errno == EINTR)
        result = call();
    return result;
}

}  // namespace sluice::io
