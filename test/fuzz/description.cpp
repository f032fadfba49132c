// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "fuzz/fuzzing.hpp"
#include "fuzz/judging.hpp"
#include "pipeline/schema_validator.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// Input: a description.

namespace sluice::fuzz {

namespace {

using namespace pipeline;

const test::schema_validator& schema()
{
    static const test::schema_validator validator{
        nlohmann::json(description_schema(stages()))
    };
    return validator;
}

// A value for every second name; one that no JSON text could hold.
std::optional<std::string> value_of(const std::string& name)
{
    if (name.size() % 2 == 0)
        return std::nullopt;
    return name + "\xff\n";
}

void check_places(std::string_view text, const std::vector<problem>& problems)
{
    const auto lines = 1 + static_cast<std::size_t>(std::ranges::count(text, '\n'));
    const auto document = nlohmann::json::parse(text, nullptr, false);
    const bool has_places = !document.is_discarded() &&
                            std::ranges::none_of(problems, [](const problem& mistake) {
                                return mistake.hint == "remove one of the two";
                            });
    for (const problem& mistake : problems) {
        require(mistake.line <= lines, "a mistake is in a line of the text");
        if (has_places && mistake.line > 0)
            require(is_place(document, mistake.pointer), "a mistake has a place");
    }
}

}  // namespace

void try_input(std::string_view input)
{
    const auto problems = judge(input, {});
    check_words(problems);
    check_places(input, problems);
    if (problems.empty())
        require(
            schema().accepts(nlohmann::json::parse(input)),
            "what is accepted fits the schema"
        );
    check_words(judge(input, {}, value_of));
}

}  // namespace sluice::fuzz
