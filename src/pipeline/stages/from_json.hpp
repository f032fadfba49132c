// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/element.hpp>

#include <string>
#include <utility>

namespace sluice::pipeline {

// The element that a part of a JSON value becomes: a string a text, the rest values.
[[nodiscard]] inline element from_json(nlohmann::json item)
{
    if (item.is_string())
        return element(std::move(item.get_ref<std::string&>()));
    return element(std::move(item));
}

}  // namespace sluice::pipeline
