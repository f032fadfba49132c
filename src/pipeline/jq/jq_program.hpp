// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/jq/simple_condition.hpp"
#include <sluice/pipeline/element.hpp>
#include <sluice/pipeline/json_value.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

struct jq_state;

namespace sluice::pipeline {

// A program of the language jq, such as ".price * .pieces". To run it changes it, so each
// worker has one of its own. To compile one takes some hundredths of a second.
class jq_program
{
public:
    // What it is for decides about null.
    enum class use
    {
        result,  // as in jq, where null is less than everything else
        condition  // null, and so a missing field, is neither less nor greater than anything
    };

    // Throws option_error with the name of the option if this is no program.
    jq_program(const std::string& text, const char* option, use what_for = use::result);

    // What it gives for this input, which may be nothing. Throws std::runtime_error, which
    // shows program and input, if it ends with an error.
    [[nodiscard]] std::vector<json_value> run(const element& input);

    // The same of a program that must give exactly one.
    [[nodiscard]] json_value result_for(const element& input);

    // Whether the first that it gives is neither false nor null. It runs to its end all the same,
    // and throws as run() does.
    [[nodiscard]] bool holds_for(const element& input);

private:
    struct closer
    {
        void operator()(jq_state* state) const noexcept;
    };

    class outputs;

    void compile();
    void compile_if_halted(const element& input);
    [[noreturn]] void fail(const element& input, const std::string& why) const;

    std::string text_;
    const char* option_;
    use use_;
    std::optional<simple_condition> simple_;  // of a condition: says the same, sooner
    std::unique_ptr<jq_state, closer> state_;
};

}  // namespace sluice::pipeline
