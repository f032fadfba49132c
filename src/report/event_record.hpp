// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// The frames of an event file: length, its checksum, data, its checksum; little-endian.
namespace sluice::report {

// The CRC-32C of the bytes, masked as such files do: they may contain others, and a checksum of
// what contains its own checksum is a poor one.
[[nodiscard]] std::uint32_t masked_checksum(std::string_view bytes);

[[nodiscard]] std::string make_record(std::string_view data);

// How many of the bytes, which begin with a record, are of whole records.
[[nodiscard]] std::size_t whole_records(std::string_view bytes) noexcept;

}  // namespace sluice::report
