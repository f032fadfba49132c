// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sluice::model {

// Why: what differs is printed for people.

[[nodiscard]] inline std::string text(const std::string& words)
{
    return '"' + words + '"';
}

[[nodiscard]] inline std::string text(int number)
{
    return std::to_string(number);
}

[[nodiscard]] inline std::string text(const std::optional<int>& number)
{
    return number ? std::to_string(*number) : "none";
}

template <class T>
[[nodiscard]] std::string text(const std::vector<T>& list)
{
    std::string content;
    for (const T& item : list)
        content += (content.empty() ? "" : ", ") + text(item);
    return '[' + content + ']';
}

}  // namespace sluice::model
