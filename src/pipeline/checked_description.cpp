// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/checked_description.hpp>

#include "pipeline/description/check_description.hpp"
#include "pipeline/description/part.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sluice::pipeline {

namespace {

// Whether the queue is at one end of the runner.
bool uses_queue(const runner_description& runner, const std::string& queue)
{
    return runner.from == queue || runner.on_error.to == queue ||
           std::ranges::count(runner.to, queue) > 0;
}

}  // namespace

checked_description::checked_description(
    pipeline_description description,
    const stage_registry& stages
)
    : description_(std::move(description))
{
    std::vector<problem> problems;
    stages_ = detail::check_description(nullptr, description_, stages, {}, problems);
    if (!problems.empty())
        throw description_error(std::move(problems));
}

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

void checked_description::run_only(std::vector<std::string> runners)
{
    constexpr auto found =
        "a queue of this process that {} cannot reach from another one";
    constexpr auto redis = R"("type": "redis", or all of its runners together with {})";
    std::vector<problem> problems;
    const auto part_of = [&](std::string at) {
        return detail::part{std::move(at), nullptr, problems};
    };
    std::vector<std::string> known;
    for (const runner_description& each : description_.runners)
        known.push_back(each.name);
    for (const std::string& name : runners) {
        const auto hint = detail::did_you_mean(name, known);
        const auto missing = "no runner of the name " + detail::in_quotes(name);
        if (std::ranges::count(known, name) == 0)
            part_of("/runners").note("", missing, "{}; {}", detail::one_of(known), hint);
    }
    std::swap(only_, runners);
    for (const queue_description& queue : description_.queues) {
        std::vector<std::string> here;
        std::vector<std::string> elsewhere;
        for (const runner_description& each : description_.runners)
            if (uses_queue(each, queue.name))
                (runs(each.name) ? here : elsewhere)
                    .push_back(detail::in_quotes(each.name));
        if (queue.type != queue_type::redis && !here.empty() && !elsewhere.empty())
            part_of("/queues" + detail::pointer_step(queue.name))
                .note(
                    "",
                    fmt::format(found, fmt::join(elsewhere, ", ")),
                    redis,
                    fmt::join(here, ", ")
                );
    }
    if (problems.empty())
        return;
    only_ = std::move(runners);  // as before
    throw description_error(std::move(problems));
}

bool checked_description::runs(const std::string& runner) const
{
    return only_.empty() || std::ranges::count(only_, runner) > 0;
}

bool checked_description::runs_queue(const std::string& queue) const
{
    return std::ranges::any_of(description_.runners, [&](const auto& each) {
        return runs(each.name) && uses_queue(each, queue);
    });
}

std::string checked_description::use_of_file(const std::string& path) const
{
    return detail::use_of_file(path, description_, stages_);
}

std::vector<std::string> checked_description::readers_of_standard_input() const
{
    std::vector<std::string> readers;
    for (std::size_t i = 0; i < stages_.size(); ++i)
        if (const std::string& runner = description_.runners[i].name;
            runs(runner) && stages_[i]->files().reads_standard_input)
            readers.push_back(runner);
    return readers;
}

}  // namespace sluice::pipeline
