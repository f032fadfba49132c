// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/key_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace sluice::pipeline {

namespace {

// The key behind the last one of a run.
element_key end_of(const key_run& run)
{
    return {run.first.moment, run.first.number + run.count};
}

// Takes a number, and a character behind it unless that is the end of the text.
std::uint64_t take_number(std::string_view& text, char behind)
{
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    const bool is_at_end = stop == end && behind == ',';
    if (error != std::errc() || (!is_at_end && (stop == end || *stop != behind)))
        throw std::runtime_error(fmt::format("\"{}\" is no list of keys", text));
    text.remove_prefix(
        static_cast<std::size_t>(stop - text.data()) + (is_at_end ? 0 : 1)
    );
    return number;
}

}  // namespace

std::vector<key_run> runs_of(std::vector<element_key> keys)
{
    std::ranges::sort(keys);
    std::vector<key_run> runs;
    for (const element_key& key : keys) {
        if (!runs.empty() && end_of(runs.back()) == key)
            ++runs.back().count;
        else
            runs.push_back({key});
    }
    return runs;
}

std::string to_text(const std::vector<key_run>& runs)
{
    std::string text;
    for (const key_run& run : runs)
        fmt::format_to(
            std::back_inserter(text),
            "{}{}:{}+{}",
            text.empty() ? "" : ",",
            run.first.moment,
            run.first.number,
            run.count
        );
    return text;
}

std::vector<key_run> runs_from(std::string_view text)
{
    std::vector<key_run> runs;
    while (!text.empty()) {
        key_run run;
        run.first.moment = take_number(text, ':');
        run.first.number = take_number(text, '+');
        run.count = take_number(text, ',');
        runs.push_back(run);
    }
    return runs;
}

void key_set::add(const key_run& run)
{
    key_run added = run;
    auto next = counts_.lower_bound(added.first);
    if (next != counts_.end() && next->first == end_of(added)) {
        added.count += next->second;
        next = counts_.erase(next);
    }
    if (next != counts_.begin()) {
        const auto before = std::prev(next);
        if (end_of({before->first, before->second}) == added.first) {
            before->second += added.count;
            return;
        }
    }
    counts_.emplace_hint(next, added.first, added.count);
}

bool key_set::contains(element_key key) const
{
    auto next = counts_.upper_bound(key);
    if (next == counts_.begin())
        return false;
    --next;
    return next->first.moment == key.moment &&
           key.number - next->first.number < next->second;
}

}  // namespace sluice::pipeline
