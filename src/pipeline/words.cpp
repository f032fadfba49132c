// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/words.hpp"

#include "text/printable.hpp"
#include "text/utf8.hpp"
#include <sluice/pipeline/json_value.hpp>
#include <sluice/pipeline/problem.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sluice::pipeline::detail {

namespace {

constexpr std::size_t longest_quote = 60;

// Parameters and the command line bring bytes that are not UTF-8.
std::string written(const json_value& value)
{
    return to_json_text(value, invalid_utf8::show);
}

}  // namespace

std::string in_quotes(std::string_view text)
{
    const bool cut = text.size() > longest_quote;
    std::string quote = written(std::string(text::cut_to_bytes(text, longest_quote)));
    if (cut)
        quote.insert(quote.size() - 1, "...");
    return quote;
}

std::string runner_title(std::string_view name, std::string_view stage)
{
    std::string title = text::printable(name);
    if (name != stage)
        title.append(" (").append(stage).append(")");
    return title;
}

std::string in_words(const nlohmann::json& value)
{
    if (value.is_structured())
        return value.is_array() ? "an array" : "an object";
    return value.is_string() ? in_quotes(value.get_ref<const std::string&>())
                             : value.dump();
}

std::string in_json(const nlohmann::json& value)
{
    const std::string whole = written(json_value(value));
    const std::string_view beginning = text::cut_to_bytes(whole, longest_quote);
    return fmt::format("{}{}", beginning, beginning.size() < whole.size() ? "..." : "");
}

std::string one_of(const std::vector<std::string>& names)
{
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i)
        list += (i == 0 ? "" : i + 1 < names.size() ? ", " : " or ") + names[i];
    return list;
}

std::string without_token(std::string_view message)
{
    const std::size_t token = message.find("; last read: '");
    const std::size_t rest = message.rfind("'; expected ");
    const bool has_rest = rest != message.npos && token < rest;
    std::string words(message.substr(0, token));
    return has_rest ? words.append(message.substr(rest + 1)) : words;
}

std::string counted(std::size_t count, std::string_view thing)
{
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known)
{
    const std::string nearest = nearest_name(name, known);
    return nearest.empty() ? "" : fmt::format("did you mean {}?", in_quotes(nearest));
}

std::string pointer_step(std::string_view name)
{
    return (nlohmann::json::json_pointer() / std::string(name)).to_string();
}

std::string pointer_step_to_one_of(std::size_t count, std::size_t index)
{
    return count == 1 ? "" : fmt::format("/{}", index);
}

}  // namespace sluice::pipeline::detail

namespace sluice::pipeline {

namespace {

std::string list_of(const std::vector<problem>& problems)
{
    std::string list;
    for (const problem& mistake : problems)
        list += (list.empty() ? "" : "\n") + to_string(mistake);
    return list;
}

std::string place_of(const problem& mistake)
{
    const std::string line = mistake.line == 0 ? ""
                                               : fmt::format("line {}", mistake.line);
    if (line.empty() || mistake.pointer.empty())
        return line + mistake.pointer;
    return fmt::format("{}, {}", line, mistake.pointer);
}

// Names differ mostly in case by mistake; only ASCII letters occur in known ones.
char lower(char c) noexcept
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// How many letters have to be added, removed, replaced or swapped with their neighbour.
std::size_t edit_distance(std::string_view from, std::string_view to)
{
    std::vector distances(from.size() + 1, std::vector<std::size_t>(to.size() + 1));
    const auto are_equal = [&](std::size_t i, std::size_t j) {
        return lower(from[i - 1]) == lower(to[j - 1]);
    };
    for (std::size_t i = 0; i <= from.size(); ++i)
        for (std::size_t j = 0; j <= to.size(); ++j) {
            std::size_t& distance = distances[i][j] = i + j;
            if (i == 0 || j == 0)
                continue;
            const std::size_t replaced = distances[i - 1][j - 1] +
                                         (are_equal(i, j) ? 0 : 1);
            distance = std::min(
                {distances[i - 1][j] + 1, distances[i][j - 1] + 1, replaced}
            );
            if (i > 1 && j > 1 && are_equal(i, j - 1) && are_equal(i - 1, j))
                distance = std::min(distance, distances[i - 2][j - 2] + 1);
        }
    return distances[from.size()][to.size()];
}

// Whether a user has written no more than the beginning of a name, perhaps without its _, as
// "jsonl" of "json_lines".
bool is_beginning(std::string_view written, std::string name)
{
    constexpr std::size_t shortest = 3;
    std::erase(name, '_');
    const auto are_equal = [](char a, char b) { return lower(a) == lower(b); };
    return written.size() >= shortest && written.size() <= name.size() &&
           std::equal(written.begin(), written.end(), name.begin(), are_equal);
}

}  // namespace

std::string to_string(const problem& mistake)
{
    const std::string place = place_of(mistake);
    const auto& [line, pointer, found, expected, hint] = mistake;
    const std::string remedy = hint.empty() ? "" : "; " + hint;
    const char* const at = place.empty() ? "the document" : place.c_str();
    return text::printable(
        fmt::format("{}: found {}, expected {}{}", at, found, expected, remedy)
    );
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

    // One mistake in three letters; more would make a name of any other. Dashes are no letters.
    const std::size_t letters = name.size() -
                                std::min(name.size(), name.find_first_not_of('-'));
    std::size_t limit = std::clamp<std::size_t>((letters + 1) / 3, 1, 3);
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
    if (!nearest.empty())
        return nearest;
    const auto begins_so = [name](const std::string& each) {
        return is_beginning(name, each);
    };
    const auto found = std::ranges::find_if(known, begins_so);
    return std::ranges::count_if(known, begins_so) == 1 ? *found : "";
}

}  // namespace sluice::pipeline
