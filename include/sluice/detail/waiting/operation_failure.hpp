// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error.hpp>

#include <exception>
#include <string>

namespace sluice::detail {

class wait_hub;

// The failure of an operation that was awaited: a system_error that knows where it happened.
class operation_failure : public system_error
{
public:
    operation_failure(error_code code, const std::string& what, const wait_hub* hub)
        : system_error(code, what), hub_(hub)
    {
    }

    // To compare, not to follow: it may be gone.
    [[nodiscard]] const wait_hub* hub() const noexcept { return hub_; }

private:
    const wait_hub* hub_;
};

// The hub whose operation failed; null if the exception does not know, as one that was made of
// a code.
[[nodiscard]] const wait_hub* hub_of(const std::exception_ptr& exception) noexcept;

}  // namespace sluice::detail
