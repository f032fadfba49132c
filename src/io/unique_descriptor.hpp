// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <unistd.h>
#include <utility>

namespace sluice::io {

// Owns a file descriptor; -1 is none.
class unique_descriptor
{
public:
    unique_descriptor() = default;
    explicit unique_descriptor(int descriptor) noexcept : descriptor_(descriptor) {}
    unique_descriptor(unique_descriptor&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1))
    {
    }

    unique_descriptor& operator=(unique_descriptor&& other) noexcept
    {
        unique_descriptor(std::move(other)).swap(*this);
        return *this;
    }

    ~unique_descriptor()
    {
        if (descriptor_ >= 0)
            ::close(descriptor_);
    }

    [[nodiscard]] explicit operator bool() const noexcept { return descriptor_ >= 0; }
    [[nodiscard]] int get() const noexcept { return descriptor_; }
    [[nodiscard]] int release() noexcept { return std::exchange(descriptor_, -1); }

private:
    void swap(unique_descriptor& other) noexcept
    {
        std::swap(descriptor_, other.descriptor_);
    }

    int descriptor_ = -1;
};

}  // namespace sluice::io
