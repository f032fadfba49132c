// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/words.hpp"
#include <sluice/pipeline/problem.hpp>
#include <sluice/pipeline/stage_options.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline::detail {

// A part of a description that is checked: where it is, and what is wrong with it.
struct part
{
    std::string at;  // a JSON pointer
    const nlohmann::json*
        given;  // what a document has there; null if there is no document
    std::vector<problem>& problems;

    // Adds a problem with a member, or with the part itself if the step is empty.
    template <class... Args>
    problem& note(
        std::string_view step,
        std::string found,
        fmt::format_string<Args...> expected,
        Args&&... args
    )
    {
        problem& added = problems.emplace_back();
        added.pointer = fmt::format("{}{}", at, step);
        added.found = std::move(found);
        added.expected = fmt::format(expected, std::forward<Args>(args)...);
        return added;
    }

    // Adds problems whose pointers begin at the part.
    void add(std::vector<problem> mistakes)
    {
        for (problem& mistake : mistakes) {
            mistake.pointer.insert(0, at);
            problems.push_back(std::move(mistake));
        }
    }

    bool expect(bool is_right, const char* expected)
    {
        if (!is_right)
            note("", in_words(*given), "{}", expected);
        return is_right;
    }

    // The member of what is given, or null.
    [[nodiscard]] const nlohmann::json* find(const std::string& name) const
    {
        const bool is_there = given != nullptr && given->is_object() &&
                              given->contains(name);
        return is_there ? &given->at(name) : nullptr;
    }

    // Reads what is given, or else judges the values that are there. False if it is no object.
    template <class Values>
    bool read(const stage_options<Values>& fields, Values& values)
    {
        std::vector<problem> mistakes;
        if (given == nullptr)
            fields.check(values, mistakes);
        else if (expect(given->is_object(), "an object"))
            fields.read(*given, values, mistakes);
        add(std::move(mistakes));
        return given == nullptr || given->is_object();
    }
};

}  // namespace sluice::pipeline::detail
