// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "incoming_event.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

incoming_event parse_event(std::string text)
{
    constexpr std::size_t longest_key = 200;
    const auto is_control = [](unsigned char c) { return c < ' '; };

    const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object())
        throw std::invalid_argument("an event is a JSON object");
    const auto member = json.find("key");
    if (member == json.end() || !member->is_string())
        throw std::invalid_argument("an event has a string \"key\"");
    auto key = member->get<std::string>();
    if (key.empty() || key.size() > longest_key)
        throw std::invalid_argument("a key has 1 to 200 bytes");
    if (std::ranges::any_of(key, is_control))
        throw std::invalid_argument("a key has no control characters");
    return {.key = std::move(key), .text = std::move(text)};
}
