// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/parse_json.hpp"
#include "pipeline/refused_element.hpp"
#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/stages/statistics.hpp"
#include "pipeline/to_lines.hpp"
#include "pipeline/words.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

struct aggregate_options
{
    std::vector<std::string> by;
    std::vector<std::string> of;
    std::vector<std::string> compute = {"sum", "mean", "min", "max"};
    std::int64_t top = 0;
    std::vector<std::string> top_in;
    std::string top_by = "count";
};

struct group
{
    std::uint64_t count = 0;
    std::vector<numbers> fields;  // for each of "of"
};

// By their values for "by" as a JSON array.
using groups = boost::unordered_flat_map<std::string, group>;

// A group as it is given.
struct result
{
    std::string key;
    json_value value = json_value::object();
    std::string place = {};  // its values for "top_in"; results of one place compete
    json_value rank = {};    // its value for "top_by"

    friend bool operator<(const result& a, const result& b)
    {
        if (a.place != b.place)
            return a.place < b.place;
        const double ranks[] = {a.number(), b.number()};
        return ranks[0] != ranks[1] ? ranks[0] > ranks[1] : a.key < b.key;
    }

    // No number, as the mean of nothing, comes last.
    [[nodiscard]] double number() const
    {
        return is_number(rank) ? to_double(rank)
                               : -std::numeric_limits<double>::infinity();
    }
};

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

class aggregate final : public stage
{
public:
    explicit aggregate(aggregate_options options)
        : options_(std::move(options)),
          by_(paths_of(options_.by, "by")),
          of_(paths_of(options_.of, "of"))
    {
        for (const std::string& name : options_.compute)
            statistics_.emplace_back(name, "compute");
        keeps_all_ = std::ranges::any_of(statistics_, &statistic::needs_all);
        check_names();
    }

    asio::awaitable<void> work(stage_context& context) override
    {
        groups own;
        while (true) {
            std::vector<element> taken = co_await context.read();
            if (taken.empty())
                break;
            std::vector<refused_element> refused;
            for (element& each : taken)
                add(each, own, context.on_error(), refused);
            for (refused_element& each : refused)
                co_await context.skip(std::move(each.content), std::move(each.reason));
        }
        merge(std::move(own));
    }

    [[nodiscard]] bool can_skip() const noexcept override { return true; }

    asio::awaitable<void> finish(stage_context& context) override
    {
        std::vector<element> out;
        for (result& each : results()) {
            out.emplace_back(std::move(each.value));
            if (out.size() == stage_context::batch_size)
                co_await give(out, context);
        }
        if (!out.empty())
            co_await give(out, context);
    }

private:
    void add(
        element& counted,
        groups& own,
        error_action on_error,
        std::vector<refused_element>& refused
    ) const
    {
        if (counted.kind() == element_kind::batch) {
            for (element& each : counted.elements())
                add(each, own, on_error, refused);
            return;
        }
        try {
            add_value(expect_value(counted, "aggregate"), own);
        } catch (const std::runtime_error& error) {
            if (on_error == error_action::fail)
                throw;
            refused.push_back({std::move(counted), error.what()});
        }
    }

    void add_value(json_value& value, groups& own) const
    {
        // All is looked at before anything is changed.
        std::vector<const json_value*> found;
        for (const field_path& field : of_)
            found.push_back(find_number(field, value));
        group& its_group = own[key_of(value)];
        its_group.fields.resize(of_.size());
        ++its_group.count;
        for (std::size_t i = 0; i < found.size(); ++i)
            if (found[i] != nullptr)
                its_group.fields[i].add(*found[i], keeps_all_);
    }

    // Null if there is none, or if it is null.
    static const json_value* find_number(const field_path& field, json_value& value)
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

    [[nodiscard]] std::string key_of(json_value& value) const
    {
        json_value key = json_value::array();
        for (const field_path& field : by_) {
            const json_value* const found = field.find(value);
            key.push_back(found != nullptr ? *found : json_value());
        }
        return to_json_text(key);
    }

    void merge(groups&& own)
    {
        const std::lock_guard lock(mutex_);
        for (auto& [key, from] : own) {
            group& to = total_[key];
            to.fields.resize(of_.size());
            to.count += from.count;
            for (std::size_t i = 0; i < of_.size(); ++i)
                to.fields[i].add(std::move(from.fields[i]));
        }
    }

    // In the order in which they are given, and not more than are asked for.
    std::vector<result> results()
    {
        std::vector<result> all;
        for (auto& [key, its_group] : total_)
            all.push_back(result_of(key, its_group));
        std::ranges::sort(all, std::less());
        if (options_.top == 0)
            return all;
        std::vector<result> best;
        std::int64_t taken = 0;
        for (result& each : all) {
            const bool is_next_place = best.empty() || best.back().place != each.place;
            taken = is_next_place ? 1 : taken + 1;
            if (taken <= options_.top)
                best.push_back(std::move(each));
        }
        return best;
    }

    result result_of(const std::string& key, group& its_group) const
    {
        result made{.key = key};
        const json_value keys = parse_json(key);
        for (std::size_t i = 0; i < by_.size(); ++i)
            made.value[by_[i].written()] = keys[i];
        made.value["count"] = its_group.count;
        for (std::size_t i = 0; i < of_.size(); ++i)
            for (const statistic& each : statistics_)
                made.value[name_of(of_[i], each)] = its_group.fields[i].compute(each);
        for (const std::string& name : options_.top_in)
            made.place += to_json_text(made.value[name]) + ' ';
        made.rank = made.value[options_.top_by];
        return made;
    }

    static std::string name_of(const field_path& field, const statistic& computed)
    {
        return fmt::format("{}_{}", field.written(), computed.name());
    }

    void check_names() const
    {
        std::vector<std::string> ranks{"count"};
        for (const field_path& field : of_)
            for (const statistic& each : statistics_)
                ranks.push_back(name_of(field, each));
        if (std::ranges::find(ranks, options_.top_by) == ranks.end())
            throw option_error(
                "top_by",
                detail::in_quotes(options_.top_by),
                detail::one_of(ranks)
            );
        if (std::ranges::find(options_.by, "count") != options_.by.end())
            throw option_error(
                "by",
                "\"count\"",
                "other names; the number is called that"
            );
        for (const std::string& name : options_.top_in)
            if (std::ranges::find(options_.by, name) == options_.by.end())
                throw option_error(
                    "top_in",
                    detail::in_quotes(name),
                    "fields out of \"by\""
                );
    }

    // Leaves the vector empty.
    static asio::awaitable<void> give(std::vector<element>& out, stage_context& context)
    {
        if (context.has_output()) {
            co_await context.write(out);
        } else {
            const std::string lines =
                to_lines(std::move(out), {.format = line_format::json});
            co_await context.blocking([&] { context.out().write(lines); });
            out.clear();
        }
    }

    const aggregate_options options_;
    const std::vector<field_path> by_;
    const std::vector<field_path> of_;
    std::vector<statistic> statistics_;
    bool keeps_all_ = false;  // numbers, for quantiles
    std::mutex mutex_;
    groups total_;  // guarded by mutex_ until finish()
};

constexpr const char* aggregate_details =
    R"(Makes groups of the values that are equal in all the fields "by"; without them all are one
group. For each it gives an object with these fields, with "count", and with what "compute" asks
for of each field in "of", under names such as bytes_sum. That may be sum, mean, min, max, median,
or a percentile such as p95, which is a number of the group. Values in which a field is missing or
null do not count for it. A field that is there and no number is an error. A batch counts as its
elements. Numbers in "by" are equal if they are written the same: 1.10 and 1.1 are two groups.

The largest "top_by" comes first, which is "count" or a name such as bytes_sum. With "top"
only so many are given, with "top_in" so many for each combination of these fields, which are
some of "by".

Without an output queue each is printed as a line of JSON. All groups are kept in memory, once
for each worker; for median and percentiles all numbers, too.

    { "stage": "aggregate", "from": "requests", "to": "sums",
      "options": { "by": "status", "of": ["bytes", "time"], "compute": ["sum", "p95"] } }
    { "stage": "aggregate", "from": "requests",
      "options": { "by": ["status", "url"], "top": 3, "top_in": "status" } })";

}  // namespace

void add_aggregate(stage_registry& stages)
{
    using options = aggregate_options;
    stages.add<aggregate>(
        {.name = "aggregate",
         .summary = "counts values in groups, and computes sums and the like",
         .takes = element_kind::any,
         .gives = element_kind::value,
         .details = aggregate_details,
         .output_is_optional = true},
        stage_options<options>()
            .optional("by", &options::by, "the fields that are equal in a group")
            .optional("of", &options::of, "the fields whose numbers count")
            .optional("compute", &options::compute, "what is computed of these")
            .optional(
                "top",
                &options::top,
                "how many groups are given; 0: all",
                {.minimum = 0}
            )
            .optional("top_in", &options::top_in, "for each of what so many are given")
            .optional("top_by", &options::top_by, "by what the groups are ranked")
    );
}

}  // namespace sluice::pipeline
