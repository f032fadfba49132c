// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/problem.hpp>

#include "text/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sluice::pipeline {

namespace {

std::string list_of(const std::vector<problem>& problems)
{
    std::vector<std::string> lines;
    for (const problem& mistake : problems)
        lines.push_back(to_string(mistake));
    return fmt::format("{}", fmt::join(lines, "\n"));
}

std::string place_of(const problem& mistake)
{
    if (mistake.line == 0)
        return mistake.pointer.empty() ? "the document" : mistake.pointer;
    return mistake.pointer.empty()
               ? fmt::format("line {}", mistake.line)
               : fmt::format("line {}, {}", mistake.line, mistake.pointer);
}

// Names differ mostly in case by mistake; only ASCII letters occur in known ones.
char lower(char c) noexcept
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// How many letters have to be added, removed, replaced or swapped with their neighbour.
std::size_t edit_distance(std::string_view from, std::string_view to)
{
    using row = std::vector<std::size_t>;
    row two_before(to.size() + 1);
    row before(to.size() + 1);
    row now(to.size() + 1);
    for (std::size_t j = 0; j <= to.size(); ++j)
        now[j] = j;
    for (std::size_t i = 1; i <= from.size(); ++i) {
        two_before = std::exchange(before, std::exchange(now, std::move(two_before)));
        now[0] = i;
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const std::size_t change = lower(from[i - 1]) == lower(to[j - 1]) ? 0 : 1;
            now[j] = std::min({before[j] + 1, now[j - 1] + 1, before[j - 1] + change});
            const bool swapped = i > 1 && j > 1 &&
                                 lower(from[i - 1]) == lower(to[j - 2]) &&
                                 lower(from[i - 2]) == lower(to[j - 1]);
            if (swapped)
                now[j] = std::min(now[j], two_before[j - 2] + 1);
        }
    }
    return now[to.size()];
}

}  // namespace

std::string to_string(const problem& mistake)
{
    return text::printable(fmt::format(
        "{}: found {}, expected {}{}{}",
        place_of(mistake),
        mistake.found,
        mistake.expected,
        mistake.hint.empty() ? "" : "; ",
        mistake.hint
    ));
}

description_error::description_error(std::vector<problem> problems)
    : std::runtime_error(list_of(problems)), problems_(std::move(problems))
{
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& known)
{
    // A longer text is no misspelt name, and comparing it would take long.
    constexpr std::size_t longest = 64;
    if (name.size() > longest)
        return {};

    // One mistake in three letters; more would make a name of any other.
    std::size_t limit = std::clamp<std::size_t>((name.size() + 1) / 3, 1, 3);
    std::string nearest;
    for (const std::string& candidate : known) {
        const std::size_t shorter = std::min(name.size(), candidate.size());
        const std::size_t longer = std::max(name.size(), candidate.size());
        if (longer > longest || longer - shorter > limit)
            continue;
        const std::size_t distance = edit_distance(name, candidate);
        if (distance <= limit && distance < shorter) {
            nearest = candidate;
            if (distance == 0)
                break;
            limit = distance - 1;
        }
    }
    return nearest;
}

}  // namespace sluice::pipeline
