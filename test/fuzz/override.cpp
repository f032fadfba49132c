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

pipeline::detail::document document()
{
    std::vector<problem> problems;
    return pipeline::detail::parse_document(description, problems).value();
}

// What a value on the command line stands for.
nlohmann::json meaning_of(const std::string& value)
{
    std::vector<problem> problems;
    const auto read = pipeline::detail::parse_document(value, problems);
    return read && problems.empty() ? read->values : nlohmann::json(value);
}

void try_alone(const description_override& change)
{
    const nlohmann::json before = document().values;
    pipeline::detail::document after = document();
    std::vector<problem> problems;
    after.set(change, problems);
    require(problems.size() <= 1, "one mistake is found once");
    if (!problems.empty()) {
        require(problems[0].pointer == change.pointer, "a mistake names its place");
        require(after.values == before, "a mistake changes nothing");
    } else if (is_place(after.values, change.pointer)) {
        // else it names an element of an array in another way than by its number
        const nlohmann::json::json_pointer pointer(change.pointer);
        require(after.values.at(pointer) == meaning_of(change.value), "a value is set");
    }
}

}  // namespace

void try_input(std::string_view input)
{
    const std::vector<description_override> overrides = overrides_of(input);
    pipeline::detail::document changed = document();
    std::vector<problem> ignored;
    for (const description_override& change : overrides) {
        try_alone(change);
        changed.set(change, ignored);
    }

    const std::vector<problem> problems = judge(description, overrides);
    check_words(problems);
    for (const problem& mistake : problems) {
        const bool is_of_override = std::ranges::count(
                                        overrides,
                                        mistake.pointer,
                                        &description_override::pointer
                                    ) > 0;
        require(
            is_of_override || is_place(changed.values, mistake.pointer),
            "a mistake names a place that exists, or that was to be set"
        );
    }
}

}  // namespace sluice::fuzz
