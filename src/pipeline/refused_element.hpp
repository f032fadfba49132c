// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/element.hpp>

#include <string>

namespace sluice::pipeline {

// What a stage could not process, and why.
struct refused_element
{
    element content;
    std::string reason;
};

}  // namespace sluice::pipeline
