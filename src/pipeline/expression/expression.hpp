// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/data/value_view.hpp"
#include "pipeline/expression/expression_tree.hpp"
#include <sluice/pipeline/element.hpp>

#include <string>
#include <vector>

namespace sluice::pipeline {

// A condition or a formula over the fields of an element, such as .price * .pieces > 1000. It is
// written as in the language jq, of which it has a part, with rules of its own for types and
// numbers, which the page about data has. Workers may share it.
class expression
{
public:
    // Throws option_error with the name of the option if the text is none.
    expression(std::string text, const char* option);

    // Whether what it gives is neither false nor null. Throws std::runtime_error, which shows
    // the field and the element, if it computes with what is no number.
    [[nodiscard]] bool holds_for(const element& of) const;

    // Appends what it gives, a field as it was written. Throws as holds_for().
    [[nodiscard]] field_form append(const element& of, std::string& out) const;

private:
    class evaluation;

    std::string text_;
    std::vector<expression_node> nodes_;
};

}  // namespace sluice::pipeline
