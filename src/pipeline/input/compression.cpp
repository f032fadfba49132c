// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/compression.hpp"

#include "pipeline/gzip.hpp"

#include <algorithm>
#include <array>

namespace sluice::pipeline {
namespace {

using namespace std::string_view_literals;

// The magic numbers are those of RFC 1952, RFC 8878, the .xz file format 1.2 and bzip2 1.0.
constexpr std::array<compression, 4> formats{{
    {gzip_name, gzip_decoder::magic},
    {"zstd", "\x28\xb5\x2f\xfd"sv},
    {"xz", "\xfd\x37\x7a\x58\x5a\x00"sv},
    {"bzip2", "BZh?1AY&SY"sv},
}};

// As far as both go.
bool agree(std::string_view bytes, std::string_view magic) noexcept
{
    const auto length = std::min(bytes.size(), magic.size());
    return std::ranges::equal(
        bytes.substr(0, length),
        magic.substr(0, length),
        [](char byte, char wanted) { return wanted == '?' || byte == wanted; }
    );
}

}  // namespace

first_bytes_tell find_compression(std::string_view first_bytes) noexcept
{
    bool is_decided = true;
    for (const compression& one : formats) {
        if (!agree(first_bytes, one.magic))
            continue;
        if (first_bytes.size() >= one.magic.size())
            return {&one, true};
        is_decided = false;
    }
    return {nullptr, is_decided};
}

}  // namespace sluice::pipeline
