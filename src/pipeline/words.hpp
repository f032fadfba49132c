// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// How messages speak of values, names, runners and places.
namespace sluice::pipeline::detail {

// A text in quotes, with escapes; long ones are cut.
[[nodiscard]] std::string in_quotes(std::string_view text);

// How messages call a runner: "clean (filter)"; one without a name of its own as its stage,
// "filter".
[[nodiscard]] std::string runner_title(std::string_view name, std::string_view stage);

// A value as a problem names it: `"fivo"`, `-1`, `true`, `an array`.
[[nodiscard]] std::string in_words(const nlohmann::json& value);

// A value as JSON, whatever the bytes of its texts; long ones are cut.
[[nodiscard]] std::string in_json(const nlohmann::json& value);

// `fifo, shuffle or padding`.
[[nodiscard]] std::string one_of(const std::vector<std::string>& names);

// A message of the JSON library without the text that it read last, which may be long.
[[nodiscard]] std::string without_token(std::string_view message);

// `1 field`, `2 fields`.
[[nodiscard]] std::string counted(std::size_t count, std::string_view thing);

// `did you mean "fifo"?`, or nothing if no known name is near.
[[nodiscard]] std::string did_you_mean(
    std::string_view name,
    const std::vector<std::string>& known
);

// The name at the place of an enumerator; for what is none, "unknown".
template <class Enum>
[[nodiscard]] const char* name_of(Enum value, std::span<const char* const> names) noexcept
{
    const auto index = static_cast<std::size_t>(value);
    return index < names.size() ? names[index] : "unknown";
}

// The step of a JSON pointer to the member of that name: "/" and the name, escaped.
[[nodiscard]] std::string pointer_step(std::string_view name);

// The step of a JSON pointer to one of several values; none if there is only one, which may
// stand there without an array.
[[nodiscard]] std::string pointer_step_to_one_of(std::size_t count, std::size_t index);

}  // namespace sluice::pipeline::detail
