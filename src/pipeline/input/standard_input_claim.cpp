// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/standard_input_claim.hpp"

#include <atomic>
#include <stdexcept>

namespace sluice::pipeline {

namespace {

// Of the process, as standard input is.
std::atomic<bool> is_claimed = false;

}  // namespace

standard_input_claim::standard_input_claim()
{
    if (is_claimed.exchange(true))
        throw std::runtime_error(
            "standard input is read twice, by two sources, or by a source and as the "
            "description; give one of them a file"
        );
}

standard_input_claim::~standard_input_claim()
{
    is_claimed = false;
}

}  // namespace sluice::pipeline
