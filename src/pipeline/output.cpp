// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/output.hpp>

#include "io/io.hpp"

#include <utility>

namespace sluice::pipeline {

descriptor_output::descriptor_output(int descriptor, std::string name)
    : descriptor_(descriptor), name_(std::move(name))
{
}

void descriptor_output::write(std::string_view data)
{
    const std::lock_guard lock(mutex_);
    io::write_all(descriptor_, data, name_);
}

void memory_output::write(std::string_view data)
{
    const std::lock_guard lock(mutex_);
    text_ += data;
}

std::string memory_output::text() const
{
    const std::lock_guard lock(mutex_);
    return text_;
}

}  // namespace sluice::pipeline
