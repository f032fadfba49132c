// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/read_description.hpp>

#include "pipeline/description/check_description.hpp"
#include "pipeline/description/description_reader.hpp"
#include "pipeline/description/document.hpp"
#include "pipeline/description/parameters.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sluice::pipeline {

namespace {

void cut(std::vector<problem>& problems)
{
    if (problems.size() > detail::most_problems)
        problems.resize(detail::most_problems);
}

[[noreturn]] void refuse(std::vector<problem> problems)
{
    cut(problems);
    std::ranges::stable_sort(problems, {}, &problem::line);
    throw description_error(std::move(problems));
}

}  // namespace

checked_description read_description(
    std::string_view text,
    const stage_registry& stages,
    const std::vector<description_override>& overrides,
    const parameter_lookup& parameters,
    const address_check& addresses
)
{
    std::vector<problem> problems;
    auto document = detail::parse_document(text, problems);
    if (!document)
        refuse(std::move(problems));
    for (const auto& [pointer, value] : overrides)
        detail::override_document(*document, pointer, value, problems);
    if (parameters)
        detail::replace_parameters(*document, parameters, problems);
    cut(problems);

    const auto located = static_cast<std::ptrdiff_t>(problems.size());
    checked_description result;
    result.description_ = detail::read_values(*document, stages, problems);
    cut(problems);
    result.stages_ =
        detail::check_description(result.description_, stages, addresses, problems);
    cut(problems);
    for (auto each = problems.begin() + located; each != problems.end(); ++each)
        detail::locate(*document, *each);
    if (!problems.empty())
        refuse(std::move(problems));
    return result;
}

}  // namespace sluice::pipeline
