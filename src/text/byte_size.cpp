// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "text/byte_size.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace sluice::text {

namespace {

struct byte_unit
{
    std::string_view name;
    std::uint64_t bytes;
    std::size_t most_digits;
};

// Those of 1024 from the largest down.
constexpr byte_unit byte_units[] = {
    {"GiB", 1U << 30U, 9},
    {"MiB", 1U << 20U, 9},
    {"KiB", 1U << 10U, 9},
    {"B", 1, 18},
    {"", 1, 18},
    {"kB", 1'000, 9},
    {"MB", 1'000'000, 9},
    {"GB", 1'000'000'000, 9},
};

}  // namespace

std::optional<std::uint64_t> parse_byte_size(std::string_view text) noexcept
{
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc())
        return std::nullopt;
    std::string_view name(rest, end);
    if (name.size() > 1 && name.starts_with(' '))
        name.remove_prefix(1);
    const auto* const unit = std::ranges::find(byte_units, name, &byte_unit::name);
    const auto digits = static_cast<std::size_t>(rest - text.data());
    if (unit == std::end(byte_units) || digits > unit->most_digits)
        return std::nullopt;
    return number * unit->bytes;
}

std::string byte_size_text(std::uint64_t bytes)
{
    const auto* const unit =
        std::ranges::find_if(byte_units, [bytes](const byte_unit& each) {
            return bytes >= each.bytes && bytes % each.bytes == 0;
        });
    if (unit == std::end(byte_units))
        return "0 B";
    return std::to_string(bytes / unit->bytes).append(" ").append(unit->name);
}

}  // namespace sluice::text
