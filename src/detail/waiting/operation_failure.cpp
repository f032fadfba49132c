// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/operation_failure.hpp>

namespace sluice::detail {

const wait_hub* hub_of(const std::exception_ptr& exception) noexcept
{
    if (!exception)
        return nullptr;
    try {
        std::rethrow_exception(exception);
    } catch (const operation_failure& failure) {
        return failure.hub();
    } catch (...) {
        return nullptr;
    }
}

}  // namespace sluice::detail
