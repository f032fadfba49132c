// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <string_view>

namespace sluice::pipeline {

// A way to compress a file, which its first bytes tell.
struct compression
{
    std::string_view name;   // of its program, too
    std::string_view magic;  // the first bytes; `?` stands for any byte
};

inline constexpr std::string_view gzip_name = "gzip";

// What the first bytes of a file tell about it.
struct first_bytes_tell
{
    const compression* found = nullptr;  // null: it is not compressed, or unknown yet
    bool is_decided = false;             // false: these are too few bytes to tell
};

[[nodiscard]] first_bytes_tell find_compression(std::string_view first_bytes) noexcept;

}  // namespace sluice::pipeline
