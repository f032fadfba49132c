// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/data/json_text.hpp"
#include "pipeline/option_checks.hpp"
#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/grouping_stage.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace {

struct aggregate_options : group_options
{
    detail::texts by;
    detail::texts of;
    detail::texts compute = {"sum", "mean", "min", "max"};
    detail::texts top_in;
    std::string top_by = "count";
};

std::vector<field_path> paths_of(const detail::texts& names, const char* option)
{
    std::vector<field_path> paths;
    for (const std::string& name : names)
        paths.emplace_back(name, option);
    return paths;
}

std::vector<statistic> statistics_of(const detail::texts& names)
{
    std::vector<statistic> statistics;
    for (const std::string& name : names)
        statistics.emplace_back(name, "compute");
    return statistics;
}

std::string name_of(const field_path& field, const statistic& computed)
{
    return fmt::format("{}_{}", field.written(), computed.name());
}

// What one worker has found in an element.
struct found_fields
{
    std::vector<field_finder> by;
    std::vector<field_finder> of;
    std::string key = {};
    std::vector<found_number> numbers = std::vector<found_number>(of.size());
};

class aggregate final : public grouping_stage
{
public:
    explicit aggregate(const aggregate_options& options)
        : aggregate(options, statistics_of(options.compute))
    {
    }

    [[nodiscard]] boost::asio::awaitable<void> work(stage_context& context) override
    {
        return work_with(
            context,
            [this,
             found = found_fields{{by_.begin(), by_.end()}, {of_.begin(), of_.end()}}](
                const element& given
            ) mutable {
                check_value(given);
                find_numbers(given, found);
                find_key(given, found);
                return place{found.key, found.numbers};
            }
        );
    }

private:
    aggregate(const aggregate_options& options, std::vector<statistic> statistics)
        : grouping_stage(
              {.memory = options.memory.count,
               .fields = options.of.size(),
               .keeps_numbers = std::ranges::any_of(statistics, &statistic::needs_all),
               .top = static_cast<std::size_t>(options.top),
               .has_places = !options.top_in.empty()}
          ),
          statistics_(std::move(statistics)),
          by_(paths_of(options.by, "by")),
          of_(paths_of(options.of, "of"))
    {
        check_names(options);
    }

    void check_names(const aggregate_options& options)
    {
        expect_different_names("by", options.by);
        expect_different_names("of", options.of);
        expect_different_names("compute", options.compute);
        const detail::texts ranks = computed_names();
        const auto ranked_by = std::ranges::find(ranks, options.top_by);
        top_by_ = static_cast<std::size_t>(ranked_by - ranks.begin());
        if (ranked_by == ranks.end())
            throw option_error(
                "top_by",
                detail::in_quotes(options.top_by),
                detail::one_of(ranks)
            );
        for (const std::string& name : ranks)
            if (std::ranges::find(options.by, name) != options.by.end())
                throw option_error(
                    "by",
                    detail::in_quotes(name),
                    "names that differ from those of computed fields"
                );
        for (const std::string& name : options.top_in) {
            const auto found = std::ranges::find(options.by, name);
            if (found == options.by.end())
                throw option_error(
                    "top_in",
                    detail::in_quotes(name),
                    "fields out of \"by\""
                );
            places_.push_back(static_cast<std::size_t>(found - options.by.begin()));
        }
    }

    // The names in a result are those in "by" and these.
    [[nodiscard]] detail::texts computed_names() const
    {
        detail::texts names{"count"};
        for (const field_path& field : of_)
            for (const statistic& each : statistics_)
                names.push_back(name_of(field, each));
        return names;
    }

    void find_numbers(const element& given, found_fields& found) const
    {
        for (std::size_t i = 0; i < of_.size(); ++i) {
            const value_view field = found.of[i].find_in(given);
            const auto its = field.as_number();
            if (!its && field && !field.is_null())
                throw std::runtime_error(fmt::format(
                    "the field {} is no number in {}",
                    of_[i].written(),
                    shown(given)
                ));
            found.numbers[i] = {field, its};
        }
    }

    // The fields "top_in" as JSON, which is its place, and "by" as an array. Nothing in JSON is a
    // null character.
    void find_key(const element& given, found_fields& found) const
    {
        std::string& key = found.key;
        key.clear();
        for (const std::size_t index : places_) {
            found.by[index].find_in(given).append_compact(key, invalid_utf8::refuse);
            key += ' ';
        }
        if (!places_.empty())
            key += '\0';
        char before = '[';
        for (field_finder& field : found.by) {
            key += std::exchange(before, ',');
            field.find_in(given).append_compact(key, invalid_utf8::refuse);
        }
        if (found.by.empty())
            key += before;
        key += ']';
    }

    // What is no number, as the mean of nothing, comes last.
    [[nodiscard]] long double rank_of(group& its_group) const override
    {
        if (top_by_ == 0)
            return grouping_stage::rank_of(its_group);
        const std::size_t index = top_by_ - 1;
        numbers& field = its_group.fields[index / statistics_.size()];
        const json_value by = field.compute(statistics_[index % statistics_.size()]);
        const auto its = value_view(by).as_number();
        return its ? its->value() : -std::numeric_limits<long double>::infinity();
    }

    [[nodiscard]] json_value result_of(groups::entry& made) const override
    {
        auto& [key, its_group] = made;
        json_value result = json_value::object();
        const json_value keys = parse_json(key.substr(key.find('\0') + 1));
        for (std::size_t i = 0; i < by_.size(); ++i)
            result[by_[i].written()] = keys[i];
        result["count"] = its_group.count;
        for (std::size_t i = 0; i < of_.size(); ++i)
            for (const statistic& each : statistics_)
                result[name_of(of_[i], each)] = its_group.fields[i].compute(each);
        return result;
    }

    const std::vector<statistic> statistics_;
    const std::vector<field_path> by_;
    const std::vector<field_path> of_;
    std::vector<std::size_t> places_;  // the indices in by_ of "top_in"
    std::size_t top_by_ = 0;           // its index in computed_names()
};

constexpr const char* aggregate_details =
    R"(Makes groups of the values that are equal in all the fields "by"; without them all are one
group. For each it gives an object with these fields, with "count", and with what "compute" asks
for of each field in "of", under names such as bytes_sum. That may be sum, mean, min, max, median,
or a percentile such as p95 or p99.9, with at most six digits behind the point. Median and
percentiles are numbers of the group: the median of 1, 2, 3 and 4 is 2.
Values in which a field is missing or null do not count for it. A field that is there and no number
is an error. An array is one value; unbatch before it gives its elements. Numbers in "by" are equal
if they are written the same: 1.10 and 1.1 are two groups.

The largest "top_by" comes first, which is "count" or a name such as bytes_sum. With "top"
only so many are given, with "top_in" so many for each combination of these fields, which are
some of "by".

Without an output queue each is printed as a line of JSON. All groups must fit into "memory",
which all workers share. More are an error. For median and percentiles a group keeps each of its
numbers, which takes 16 bytes. It takes 32 if one of them is a whole number that no double is, such
as 9007199254740993.

    { "stage": "aggregate", "from": "requests", "to": "sums",
      "options": { "by": "status", "of": ["bytes", "time"], "compute": ["sum", "p95"] } }
    { "stage": "aggregate", "from": "requests",
      "options": { "by": ["status", "url"], "top": 3, "top_in": "status" } })";

}  // namespace

void add_aggregate(stage_registry& stages)
{
    using options = aggregate_options;
    stage_options<options> described;
    described.optional("by", &options::by, "the fields that are equal in a group")
        .optional("of", &options::of, "the fields whose numbers count")
        .optional(
            "compute",
            &options::compute,
            "what is computed of these",
            {.needs = {"of"}}
        )
        .optional(
            "top_in",
            &options::top_in,
            "the fields for each combination of which \"top\" are given",
            {.needs = {"top"}}
        )
        .optional("top_by", &options::top_by, "by what the groups are ranked");
    stages.add<aggregate>(
        {.name = "aggregate",
         .summary = "counts values in groups, and computes sums and the like",
         .takes = element_kind::any,
         .gives = element_kind::value,
         .details = aggregate_details,
         .output_is_optional = true},
        add_group_options(described)
    );
}

}  // namespace sluice::pipeline
