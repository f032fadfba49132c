// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <atomic>
#include <stdexcept>

namespace sluice::pipeline {

// A reader of standard input has one, for as long as another could ask for it: of two
// readers at a time each would get pieces, and one that comes later nothing.
class standard_input_claim
{
public:
    // Throws if there is another one in this process.
    standard_input_claim()
    {
        if (is_claimed_.exchange(true))
            throw std::runtime_error(
                "standard input is read twice, by two sources; give one of them a file"
            );
    }
    standard_input_claim(const standard_input_claim&) = delete;
    standard_input_claim& operator=(const standard_input_claim&) = delete;
    ~standard_input_claim() { is_claimed_ = false; }

private:
    static inline std::atomic<bool> is_claimed_ = false;  // of the process
};

}  // namespace sluice::pipeline
