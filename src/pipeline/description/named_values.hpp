// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The enumerators of a list by the names that to_string() gives them.
namespace sluice::pipeline::detail {

template <class Value, std::size_t Count>
[[nodiscard]] std::vector<std::string> names_of(const Value (&values)[Count])
{
    std::vector<std::string> names;
    for (const Value value : values)
        names.emplace_back(to_string(value));
    return names;
}

// None if no value has that name.
template <class Value, std::size_t Count>
[[nodiscard]] std::optional<Value> value_named(
    const Value (&values)[Count],
    std::string_view name
)
{
    const auto has_name = [name](Value value) { return to_string(value) == name; };
    const auto* const found = std::ranges::find_if(values, has_name);
    return found == std::end(values) ? std::nullopt : std::optional(*found);
}

}  // namespace sluice::pipeline::detail
