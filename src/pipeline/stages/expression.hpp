// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/json_value.hpp>

#include <muParser.h>

#include <map>
#include <string>

namespace sluice::pipeline {

// A numeric expression over the fields of an object, such as "price * pieces > 100".
// Evaluation changes it, so each worker has one of its own.
class expression
{
public:
    // Throws option_error with the name of the option if this is no expression.
    expression(const std::string& written, const char* option);

    expression(const expression&) = delete;
    expression& operator=(const expression&) = delete;

    // Whether a value has all fields that the expression names, and none of them is null.
    [[nodiscard]] bool has_fields(const json_value& value) const;

    // Its number for these fields; "value" is a value that is a number itself. Throws if a
    // field is missing or no number, or if the result is none.
    [[nodiscard]] double evaluate(const json_value& value);

private:
    void compile();
    [[noreturn]] void fail(const json_value& value, const std::string& what) const;

    const std::string written_;
    std::map<std::string, double> variables_;  // the parser refers to the numbers
    mu::Parser parser_;
};

// A whole number stays whole as JSON.
[[nodiscard]] json_value to_number(double result);

}  // namespace sluice::pipeline
