// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error.hpp>

#include <exception>
#include <string>

namespace sluice::detail {

// The try_ batches: the place for what one flush achieves.
template <class Role>
class flushed final : public Role
{
public:
    using Role::Role;

    // What copying or comparing an element threw; other failures are a matter of the code.
    void rethrow_element_failure() const
    {
        if (this->error() == errc::element_failed)
            std::rethrow_exception(this->exception_);
    }

private:
    void deliver() noexcept override {}
    void abandon() noexcept override {}
    [[nodiscard]] std::string describe() const override { return {}; }
};

}  // namespace sluice::detail
