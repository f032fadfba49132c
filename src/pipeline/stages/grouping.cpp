// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/grouping.hpp"

#include "pipeline/option_checks.hpp"
#include "pipeline/parse_json.hpp"
#include "pipeline/words.hpp"
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

std::string name_of(const field_path& field, const statistic& computed)
{
    return fmt::format("{}_{}", field.written(), computed.name());
}

}  // namespace

std::size_t group::add(group&& other)
{
    std::size_t bytes = (other.fields.size() - fields.size()) * sizeof(numbers);
    fields.resize(other.fields.size());
    count += other.count;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        bytes += other.fields[i].kept() * bytes_of_kept;
        fields[i].add(std::move(other.fields[i]));
    }
    return bytes;
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
}

grouping::reader::reader(const grouping& of)
    : of_(of),
      by_(of.by_.begin(), of.by_.end()),
      numbers_in_(of.of_.begin(), of.of_.end())
{
}

void grouping::reader::read(const element& value)
{
    numbers_.clear();
    for (std::size_t i = 0; i < numbers_in_.size(); ++i) {
        const value_view found = numbers_in_[i].find_in(value);
        const auto its = found.as_number();
        if (!its && found && !found.is_null())
            throw std::runtime_error(fmt::format(
                "the field {} is no number in {}",
                of_.of_[i].written(),
                shown(value)
            ));
        numbers_.push_back({found, its});
    }
    find_key(value);
}

void grouping::reader::find_key(const element& value)
{
    key_.clear();
    for (const std::size_t place : of_.places_) {
        by_[place].find_in(value).append_compact(key_, invalid_utf8::refuse);
        key_ += ' ';
    }
    if (!of_.places_.empty())
        key_ += '\0';
    char before = '[';
    for (field_finder& field : by_) {
        key_ += std::exchange(before, ',');
        field.find_in(value).append_compact(key_, invalid_utf8::refuse);
    }
    if (by_.empty())
        key_ += before;
    key_ += ']';
}

std::size_t grouping::add(const std::vector<found_number>& found, group& to) const
{
    std::size_t bytes = (found.size() - to.fields.size()) * sizeof(numbers);
    to.fields.resize(found.size());
    ++to.count;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!found[i].number)
            continue;
        to.fields[i].add(found[i].value, *found[i].number, keeps_all_);
        bytes += keeps_all_ ? bytes_of_kept : 0;
    }
    return bytes;
}

json_value grouping::result_of(const std::string& key, group& its_group) const
{
    json_value made = json_value::object();
    const json_value keys = parse_json(key.substr(key.find('\0') + 1));
    for (std::size_t i = 0; i < by_.size(); ++i)
        made[by_[i].written()] = keys[i];
    made["count"] = its_group.count;
    for (std::size_t i = 0; i < of_.size(); ++i)
        for (const statistic& each : statistics_)
            made[name_of(of_[i], each)] = its_group.fields[i].compute(each);
    return made;
}

// What is no number, as the mean of nothing, comes last.
double grouping::rank_of(group& its_group) const
{
    if (top_by_ == 0)
        return static_cast<double>(its_group.count);
    const std::size_t index = top_by_ - 1;
    numbers& field = its_group.fields[index / statistics_.size()];
    const json_value by = field.compute(statistics_[index % statistics_.size()]);
    return is_number(by) ? to_double(by) : -std::numeric_limits<double>::infinity();
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

void grouping::check_names()
{
    expect_different_names("by", options_.by);
    expect_different_names("of", options_.of);
    expect_different_names("compute", options_.compute);
    const std::vector<std::string> ranks = computed_names();
    const auto ranked_by = std::ranges::find(ranks, options_.top_by);
    top_by_ = static_cast<std::size_t>(ranked_by - ranks.begin());
    if (ranked_by == ranks.end())
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
                "names that differ from those of computed fields"
            );
    for (const std::string& name : options_.top_in) {
        const auto found = std::ranges::find(options_.by, name);
        if (found == options_.by.end())
            throw option_error("top_in", detail::in_quotes(name), "fields out of \"by\"");
        places_.push_back(static_cast<std::size_t>(found - options_.by.begin()));
    }
}

}  // namespace sluice::pipeline
