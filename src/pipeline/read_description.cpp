// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/read_description.hpp>

#include "pipeline/description/check_description.hpp"

#include <algorithm>
#include <utility>

namespace sluice::pipeline {

checked_description read_description(
    std::string_view text,
    const stage_registry& stages,
    const std::vector<description_override>& overrides,
    const parameter_lookup& parameters,
    const address_check& addresses
)
{
    std::vector<problem> problems;
    checked_description result;
    if (auto document = detail::parse_document(text, problems)) {
        for (const description_override& change : overrides)
            document->set(change, problems);
        // Overrides have no lines, and may point to what is not there.
        const auto first = problems.size();
        if (parameters)
            document->replace_parameters(parameters, problems);
        result.stages_ = detail::check_description(
            &*document,
            result.description_,
            stages,
            addresses,
            problems
        );
        problems.resize(std::min(problems.size(), detail::most_problems));
        for (std::size_t i = first; i < problems.size(); ++i)
            document->locate(problems[i]);
    }
    std::ranges::stable_sort(problems, {}, &problem::line);
    if (!problems.empty())
        throw description_error(std::move(problems));
    return result;
}

}  // namespace sluice::pipeline
