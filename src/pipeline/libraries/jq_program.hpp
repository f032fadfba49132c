// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/element.hpp>
#include <sluice/pipeline/json_value.hpp>

#include <memory>
#include <string>
#include <vector>

struct jq_state;

namespace sluice::pipeline {

// A program of the language jq, such as ".price * .pieces". To run it changes it, so each
// worker has one of its own. To compile one takes some hundredths of a second.
class jq_program
{
public:
    // Throws option_error with the name of the option if this is no program.
    jq_program(const std::string& text, const char* option);

    // What it gives for this input, which may be nothing. Throws std::runtime_error, which
    // shows program and input, if it ends with an error.
    [[nodiscard]] std::vector<json_value> run(const element& input);

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
    std::unique_ptr<jq_state, closer> state_;
};

}  // namespace sluice::pipeline
