// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/jq_program.hpp"

#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_options.hpp>

namespace sluice::pipeline {

void jq_program::closer::operator()(jq_state* /*state*/) const noexcept {}

jq_program::jq_program(const std::string& text, const char* option)
{
    throw option_error(
        option,
        detail::in_quotes(text),
        "no program of jq, because this program was built without libjq; build it where "
        "that "
        "is found"
    );
}

std::vector<json_value> jq_program::run(const element& /*input*/)
{
    return {};
}

}  // namespace sluice::pipeline
