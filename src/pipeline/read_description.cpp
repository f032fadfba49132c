// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/read_description.hpp>

#include "pipeline/description/description_reader.hpp"
#include "pipeline/description/document.hpp"
#include "pipeline/description/override_document.hpp"
#include <sluice/pipeline/check_structure.hpp>

#include <algorithm>
#include <utility>

namespace sluice::pipeline {

namespace {

[[noreturn]] void refuse(std::vector<problem> problems)
{
    std::stable_sort(
        problems.begin(),
        problems.end(),
        [](const problem& a, const problem& b) { return a.line < b.line; }
    );
    throw description_error(std::move(problems));
}

}  // namespace

pipeline_description read_description(
    std::string_view text,
    const stage_registry& stages,
    const std::vector<description_override>& overrides
)
{
    std::vector<problem> problems;
    auto document = detail::parse_document(text, problems);
    if (!document)
        refuse(std::move(problems));
    for (const description_override& change : overrides)
        detail::override_document(*document, change, problems);

    detail::description_reader reader(stages, problems);
    pipeline_description description = reader.read(*document);
    if (problems.empty())
        for (problem& mistake : check_structure(description, stages)) {
            auto place = detail::locate(*document, "", mistake.pointer);
            mistake.line = place.line;
            mistake.pointer = std::move(place.pointer);
            problems.push_back(std::move(mistake));
        }
    if (!problems.empty())
        refuse(std::move(problems));
    return description;
}

}  // namespace sluice::pipeline
