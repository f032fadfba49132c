// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

// The encoding of Protocol Buffers, as far as event files need it. Each function appends a field to
// a message: its number and wire type, then its value.
namespace sluice::report::wire {

enum class type : std::uint8_t
{
    varint = 0,
    fixed64 = 1,
    length_delimited = 2,
    fixed32 = 5
};

// Little-endian.
template <class Unsigned>
void append_fixed(std::string& out, Unsigned value)
{
    for (int shift = 0; shift < std::numeric_limits<Unsigned>::digits; shift += 8)
        out.push_back(static_cast<char>(value >> shift & 0xffU));
}

// Seven bits a byte, the lowest first; all but the last have the highest bit.
inline void append_varint(std::string& out, std::uint64_t value)
{
    for (; value >= 0x80U; value >>= 7U)
        out.push_back(static_cast<char>(value | 0x80U));
    out.push_back(static_cast<char>(value));
}

inline void append_key(std::string& message, unsigned field, type wire_type)
{
    append_varint(message, field << 3U | static_cast<unsigned>(wire_type));
}

inline void append_int(std::string& message, unsigned field, std::int64_t value)
{
    append_key(message, field, type::varint);
    append_varint(message, static_cast<std::uint64_t>(value));
}

inline void append_float(std::string& message, unsigned field, float value)
{
    append_key(message, field, type::fixed32);
    append_fixed(message, std::bit_cast<std::uint32_t>(value));
}

inline void append_double(std::string& message, unsigned field, double value)
{
    append_key(message, field, type::fixed64);
    append_fixed(message, std::bit_cast<std::uint64_t>(value));
}

// A string, bytes, or a message in the message.
inline void append_bytes(std::string& message, unsigned field, std::string_view bytes)
{
    append_key(message, field, type::length_delimited);
    append_varint(message, bytes.size());
    message.append(bytes);
}

// A repeated field in its packed form.
inline void append_doubles(
    std::string& message,
    unsigned field,
    std::span<const double> values
)
{
    append_key(message, field, type::length_delimited);
    append_varint(message, values.size_bytes());
    for (const double value : values)
        append_fixed(message, std::bit_cast<std::uint64_t>(value));
}

}  // namespace sluice::report::wire
