// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

// What records are made of. A take removes from the front what an append has put there.
namespace sluice::pipeline::spill {

// As the machine has it: only this process reads it.
template <class T>
    requires std::is_trivially_copyable_v<T>
void append_raw(std::string& out, const T& value)
{
    out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <class T>
    requires std::is_trivially_copyable_v<T>
[[nodiscard]] T take_raw(std::string_view& bytes)
{
    if (bytes.size() < sizeof(T))
        throw std::logic_error("a record on disk is cut short");
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    bytes.remove_prefix(sizeof(T));
    return value;
}

// So that the order of the bytes is that of the numbers.
inline void append_ordered(std::string& out, std::uint64_t number)
{
    for (int shift = 56; shift >= 0; shift -= 8)
        out += static_cast<char>(number >> shift);
}

// The first bytes as such a number; no byte counts as 0.
[[nodiscard]] inline std::uint64_t first_bytes(std::string_view bytes) noexcept
{
    std::uint64_t number = 0;
    char first[sizeof number] = {};
    std::memcpy(first, bytes.data(), std::min(bytes.size(), sizeof number));
    for (const char byte : first)
        number = number << 8U | static_cast<unsigned char>(byte);
    return number;
}

// The number that append_ordered() has put there.
[[nodiscard]] inline std::uint64_t take_ordered(std::string_view& bytes)
{
    const std::uint64_t number = first_bytes(bytes);
    bytes.remove_prefix(sizeof number);
    return number;
}

// So that the larger one comes first. 0 and -0 are equal.
inline void append_descending(std::string& out, double number)
{
    constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
    const auto bits = std::bit_cast<std::uint64_t>(number + 0.0);
    const std::uint64_t ascending = (bits & sign) != 0 ? ~bits : bits | sign;
    append_ordered(out, ~ascending);
}

}  // namespace sluice::pipeline::spill
