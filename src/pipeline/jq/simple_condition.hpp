// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/data/value_view.hpp"
#include <sluice/pipeline/element.hpp>
#include <sluice/pipeline/json_value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

// Fields that are compared with constants, joined by "and": .status >= 500 and .kind == "book".
// Most conditions are no more than that, and libjq takes twenty times as long for them. What it
// would say is what this says, or nothing.
class simple_condition
{
public:
    // Nothing if the text is anything else, or no program at all.
    [[nodiscard]] static std::optional<simple_condition> parse(std::string_view text);

    // Nothing for what is no object: whether it has fields is up to jq.
    [[nodiscard]] std::optional<bool> holds_for(const element& value) const;

private:
    enum class relation : unsigned char
    {
        equal,
        unequal,
        less,
        less_or_equal,
        greater,
        greater_or_equal
    };

    struct comparison
    {
        std::string field;
        relation is;
        json_value constant;    // for an order a number
        long double limit = 0;  // that number

        [[nodiscard]] bool holds_for(const value_view& found) const;
    };

    class scanner;

    std::vector<comparison> comparisons_;
};

}  // namespace sluice::pipeline
