// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "fuzz/fuzzing.hpp"

#include <cstdint>

// What libFuzzer calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    sluice::fuzz::try_input({reinterpret_cast<const char*>(data), size});
    return 0;
}
