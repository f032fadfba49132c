// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "fuzz/fuzzing.hpp"
#include "fuzz/judging.hpp"
#include "pipeline/description/document.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Input: what follows --set on a command line, an argument on each line.

namespace sluice::fuzz {

namespace {

using namespace pipeline;

constexpr std::string_view description = R"({
  "queues": { "lines": { "capacity": 64 }, "words": { "type": "shuffle", "seed": 1 },
              "batches": { "type": "priority", "by": "/0" }, "single": {} },
  "runners": [
    { "stage": "list", "options": { "items": ["a b"] }, "to": "lines" },
    { "stage": "split_words", "name": "split", "from": "lines", "to": "words", "workers": 2 },
    { "stage": "batch", "options": { "size": 2 }, "from": "words", "to": "batches" },
    { "stage": "unbatch", "from": "batches", "to": "single" },
    { "stage": "count", "options": { "top": 20 }, "from": "single" }
  ]
})";

// As the command takes it apart.
std::vector<description_override> overrides_of(std::string_view input)
{
    std::vector<description_override> overrides;
    while (!input.empty()) {
        const std::string_view argument = take_line(input);
        const auto equals = argument.find('=');
        if (equals != argument.npos && argument.starts_with('/'))
            overrides.push_back(
                {std::string(argument.substr(0, equals)),
                 std::string(argument.substr(equals + 1))}
            );
    }
    return overrides;
}

pipeline::detail::document_node document()
{
    std::vector<problem> problems;
    return pipeline::detail::parse_document(description, problems).value();
}

// What a value on the command line stands for.
nlohmann::json meaning_of(const std::string& value)
{
    std::vector<problem> problems;
    const auto node = pipeline::detail::parse_document(value, problems);
    return node && problems.empty() ? node->to_json() : nlohmann::json(value);
}

// Where a pointer leads to; null if it names an element of an array in another way than by
// its number.
const pipeline::detail::document_node* follow(
    const pipeline::detail::document_node& root,
    const std::string& pointer
)
{
    const pipeline::detail::document_node* node = &root;
    const auto steps = pipeline::detail::pointer_steps(pointer).value();
    for (const std::string& step : steps)
        node = node != nullptr ? node->step(step) : nullptr;
    return node;
}

void try_alone(const description_override& change)
{
    const pipeline::detail::document_node before = document();
    pipeline::detail::document_node after = before;
    std::vector<problem> problems;
    pipeline::detail::override_document(after, change.pointer, change.value, problems);
    require(problems.size() <= 1, "one mistake is found once");
    if (!problems.empty()) {
        require(problems[0].pointer == change.pointer, "a mistake names its place");
        require(after.to_json() == before.to_json(), "a mistake changes nothing");
    } else if (const auto* const changed = follow(after, change.pointer)) {
        require(changed->to_json() == meaning_of(change.value), "a value is set");
    }
}

}  // namespace

void try_input(std::string_view input)
{
    const std::vector<description_override> overrides = overrides_of(input);
    pipeline::detail::document_node changed = document();
    std::vector<problem> ignored;
    for (const auto& [pointer, value] : overrides) {
        try_alone({pointer, value});
        pipeline::detail::override_document(changed, pointer, value, ignored);
    }

    const std::vector<problem> problems = judge(description, overrides);
    check_words(problems);
    const nlohmann::json json = changed.to_json();
    for (const problem& mistake : problems) {
        const bool is_of_override = std::ranges::count(
                                        overrides,
                                        mistake.pointer,
                                        &description_override::pointer
                                    ) > 0;
        require(
            is_of_override || is_place(json, mistake.pointer),
            "a mistake names a place that exists, or that was to be set"
        );
    }
}

}  // namespace sluice::fuzz
