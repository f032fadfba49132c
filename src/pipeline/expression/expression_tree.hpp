// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/data/value_view.hpp"
#include <sluice/pipeline/json_value.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sluice::pipeline {

// A part of an expression, and which other parts it takes.
struct expression_node
{
    enum class operation : unsigned char
    {
        constant,
        path,
        pipe,  // the right side sees what the left side gives
        alternative,
        either,
        both,
        negation,
        equal,
        unequal,
        less,
        less_or_equal,
        greater,
        greater_or_equal,
        add,
        subtract,
        multiply,
        divide,
        remainder,
        negative,
        length
    };

    // The name of a member, or an index.
    using step = std::variant<std::string, std::size_t>;

    operation is;
    std::size_t left = 0;  // indexes of nodes; the same if it takes one
    std::size_t right = 0;
    std::string written = {};
    std::vector<step> steps = {};                     // of a path
    json_value constant = nullptr;                    // of a constant
    std::optional<number> its_number = std::nullopt;  // if that is one
    std::size_t depth = 1;
};

// The nodes of an expression, of which the last one is all of it. Throws option_error with the name
// of the option if the text is none.
[[nodiscard]] std::vector<expression_node> parse_expression(
    std::string_view text,
    const char* option
);

}  // namespace sluice::pipeline
