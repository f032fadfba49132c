// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <set>
#include <string>

namespace sluice::metrics {

// How parts of one name are told apart where the name is a key: the second "lines" is "lines#2",
// or, if that is taken by another one, the first of "lines#3", ... that is free. From then on it is
// among the `taken`.
[[nodiscard]] inline std::string unique_name(
    const std::string& name,
    std::set<std::string>& taken
)
{
    std::string unique = name;
    for (std::size_t number = 2; !taken.insert(unique).second; ++number)
        unique = name + "#" + std::to_string(number);
    return unique;
}

}  // namespace sluice::metrics
