// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/words.hpp"
#include <sluice/pipeline/problem.hpp>
#include <sluice/pipeline/stage_options.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
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

    // Adds a problem with a member, or with the part itself if the step is empty. What is expected
    // ends where "; " begins a hint.
    template <class... Args>
    void note(
        std::string_view step,
        std::string found,
        fmt::format_string<Args...> expected,
        Args&&... args
    )
    {
        const std::string text = fmt::format(expected, std::forward<Args>(args)...);
        const std::size_t end = std::min(text.find("; "), text.size());
        const std::size_t hint = std::min(end + 2, text.size());
        problems.push_back(
            {0,
             fmt::format("{}{}", at, step),
             std::move(found),
             text.substr(0, end),
             text.substr(hint)}
        );
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
