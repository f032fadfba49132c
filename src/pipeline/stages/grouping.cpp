// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/grouping.hpp"

#include "pipeline/different_names.hpp"
#include "pipeline/idle_option.hpp"
#include "pipeline/parse_json.hpp"
#include "pipeline/spill/record_bytes.hpp"
#include "pipeline/words.hpp"
#include "text/number.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace sluice::pipeline {

namespace {

// A vector that grows has room for up to twice of what it holds.
constexpr std::size_t bytes_of_kept = 2 * sizeof(double);

std::vector<field_path> paths_of(
    const std::vector<std::string>& names,
    const char* option
)
{
    std::vector<field_path> paths;
    for (const std::string& name : names)
        paths.emplace_back(name, option);
    return paths;
}

// Null if there is none, or if it is null.
const json_value* find_number(const field_path& field, json_value& value)
{
    const json_value* const found = field.find(value);
    if (found == nullptr || found->is_null())
        return nullptr;
    if (!is_number(*found))
        throw std::runtime_error(fmt::format(
            "the field {} is no number in {}",
            field.written(),
            shown(element(value))
        ));
    return found;
}

std::string name_of(const field_path& field, const statistic& computed)
{
    return fmt::format("{}_{}", field.written(), computed.name());
}

}  // namespace

std::size_t group::kept() const noexcept
{
    std::size_t sum = 0;
    for (const numbers& each : fields)
        sum += each.kept();
    return sum;
}

void group_form::append(const group& written, std::string& out) const
{
    spill::append_raw(out, written.count);
    for (const numbers& each : written.fields)
        each.append_to(out);
}

group group_form::take(std::string_view bytes) const
{
    group taken{.count = spill::take_raw<std::uint64_t>(bytes), .fields = {}};
    while (!bytes.empty())
        taken.fields.push_back(numbers::take_from(bytes));
    return taken;
}

std::size_t group_form::add(group& to, group&& from) const
{
    const std::size_t kept = from.kept();
    if (kept != 0 && to.kept() + kept > most_kept)
        fail_with_too_many_numbers(most_kept);
    const std::size_t fields = from.fields.size() - to.fields.size();
    to.fields.resize(from.fields.size());
    to.count += from.count;
    for (std::size_t i = 0; i < from.fields.size(); ++i)
        to.fields[i].add(std::move(from.fields[i]));
    return fields * sizeof(numbers) + kept * bytes_of_kept;
}

void fail_with_too_many_numbers(std::uint64_t most_kept, std::string_view name)
{
    throw std::runtime_error(fmt::format(
        "a group{}{} has more than {} numbers, which is what fits into \"memory\"; "
        "raise that, or leave median and percentiles out of \"compute\"",
        name.empty() ? "" : " ",
        name,
        text::with_separators(most_kept)
    ));
}

grouping::grouping(const grouping_options& options)
    : options_(options),
      by_(paths_of(options_.by, "by")),
      of_(paths_of(options_.of, "of"))
{
    for (const std::string& name : options_.compute)
        statistics_.emplace_back(name, "compute");
    keeps_all_ = std::ranges::any_of(statistics_, &statistic::needs_all);
    check_names();
    if (options_.of.empty() && !options_.compute.empty())
        expect_default(
            "compute",
            options_.compute,
            grouping_options().compute,
            R"(there is "of")"
        );
}

std::string grouping::key_of(json_value& value) const
{
    json_value key = json_value::array();
    for (const field_path& field : by_) {
        const json_value* const found = field.find(value);
        key.push_back(found != nullptr ? *found : json_value());
    }
    return to_json_text(key);
}

std::vector<const json_value*> grouping::numbers_of(json_value& value) const
{
    std::vector<const json_value*> found;
    for (const field_path& field : of_)
        found.push_back(find_number(field, value));
    return found;
}

std::size_t grouping::add(const std::vector<const json_value*>& found, group& to) const
{
    std::size_t bytes = (found.size() - to.fields.size()) * sizeof(numbers);
    to.fields.resize(found.size());
    ++to.count;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i] == nullptr)
            continue;
        to.fields[i].add(*found[i], keeps_all_);
        bytes += keeps_all_ ? bytes_of_kept : 0;
    }
    return bytes;
}

json_value grouping::result_of(const std::string& key, group& its_group) const
{
    json_value made = json_value::object();
    const json_value keys = parse_json(key);
    for (std::size_t i = 0; i < by_.size(); ++i)
        made[by_[i].written()] = keys[i];
    made["count"] = its_group.count;
    for (std::size_t i = 0; i < of_.size(); ++i)
        for (const statistic& each : statistics_)
            made[name_of(of_[i], each)] = its_group.fields[i].compute(each);
    return made;
}

// Its values for "top_in", of which no text has a NUL, in JSON; the one for "top_by", the largest
// first; and its key. What is no number, as the mean of nothing, comes last.
std::string grouping::rank_of(const json_value& result, std::string_view key) const
{
    std::string rank;
    for (const std::string& name : options_.top_in)
        rank += to_json_text(result.at(name)) + ' ';
    rank += '\0';
    const json_value& by = result.at(options_.top_by);
    spill::append_descending(
        rank,
        is_number(by) ? to_double(by) : -std::numeric_limits<double>::infinity()
    );
    return rank.append(key);
}

std::string_view grouping::place_in(std::string_view rank)
{
    return rank.substr(0, rank.find('\0'));
}

// The names in a result are those in "by" and these.
std::vector<std::string> grouping::computed_names() const
{
    std::vector<std::string> names{"count"};
    for (const field_path& field : of_)
        for (const statistic& each : statistics_)
            names.push_back(name_of(field, each));
    return names;
}

void grouping::check_names() const
{
    expect_different_names("by", options_.by);
    expect_different_names("of", options_.of);
    expect_different_names("compute", options_.compute);
    const std::vector<std::string> ranks = computed_names();
    if (std::ranges::find(ranks, options_.top_by) == ranks.end())
        throw option_error(
            "top_by",
            detail::in_quotes(options_.top_by),
            detail::one_of(ranks)
        );
    for (const std::string& name : ranks)
        if (std::ranges::find(options_.by, name) != options_.by.end())
            throw option_error(
                "by",
                detail::in_quotes(name),
                "other names, because what is computed is called that"
            );
    for (const std::string& name : options_.top_in)
        if (std::ranges::find(options_.by, name) == options_.by.end())
            throw option_error("top_in", detail::in_quotes(name), "fields out of \"by\"");
}

}  // namespace sluice::pipeline
