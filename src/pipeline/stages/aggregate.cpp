// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/by_element.hpp"
#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/grouping.hpp"
#include "pipeline/stages/in_steps.hpp"
#include "pipeline/stages/keyed_totals.hpp"
#include "pipeline/stages/memory_option.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/to_lines.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

struct aggregate_options : grouping_options, memory_options
{
    std::int64_t top = 0;
};

using group_totals = keyed_totals<group>;

class aggregate final : public stage
{
public:
    explicit aggregate(const aggregate_options& options)
        : top_(static_cast<std::size_t>(options.top)),
          is_top_of_all_(options.top_in.empty()),
          grouping_(options),
          groups_(
              options.memory.count,
              grouping_.keeps_all() ? R"(leave median and percentiles out of "compute")"
                                    : sort_first
          )
    {
    }

    asio::awaitable<void> work(stage_context& context) override
    {
        worker own(*this);
        while (true) {
            std::vector<element> taken = co_await context.read();
            if (taken.empty())
                break;
            for (const element& each : taken)
                add(each, own, context.on_error());
            for (refused_element& each : std::exchange(own.refused, {}))
                co_await context.skip(std::move(each.content), std::move(each.reason));
        }
        groups_.leave(std::move(own.groups));
    }

    [[nodiscard]] bool can_skip() const noexcept override { return true; }

    asio::awaitable<void> finish(stage_context& context) override
    {
        co_await groups_.unite(context);
        const auto rank = [this](group& each) { each.rank = grouping_.rank_of(each); };
        co_await groups_.rank(context, is_top_of_all_ ? top_ : 0, rank);
        if (context.has_output())
            co_await write(context);
        else
            co_await in_steps(context, [this, &context] {
                context.out().write(
                    to_lines(next_results(), {.format = line_format::json})
                );
                return groups_.has_next();
            });
    }

private:
    // What one worker works with.
    struct worker
    {
        explicit worker(aggregate& of) : groups(of.groups_), reading(of.grouping_) {}

        group_totals::table groups;
        grouping::reader reading;
        std::vector<refused_element> refused;
    };

    void add(const element& counted, worker& own, error_action on_error) const
    {
        try {
            check_value(counted);
            own.reading.read(counted);
        } catch (const std::runtime_error& error) {
            if (on_error == error_action::fail)
                throw;
            own.refused.push_back({counted, error.what()});
            return;
        }
        group& its_group = own.groups[own.reading.key()];
        own.groups.grow(grouping_.add(own.reading.numbers(), its_group));
    }

    asio::awaitable<void> write(stage_context& context)
    {
        while (groups_.has_next()) {
            std::vector<element> out = co_await context.blocking([this] {
                return next_results();
            });
            if (!out.empty())
                co_await context.write(out);
        }
    }

    // The next ones in order, and for each place not more than are asked for. None are not the
    // end: a place may have many more than that.
    std::vector<element> next_results()
    {
        std::vector<element> next;
        for (std::size_t i = 0; i < stage_context::batch_size && groups_.has_next();
             ++i) {
            auto& [key, its_group] = groups_.next();
            const std::string_view place = grouping::place_in(key);
            given_ = place == place_ ? given_ + 1 : 1;
            place_ = place;
            if (top_ == 0 || given_ <= top_)
                next.emplace_back(grouping_.result_of(key, its_group));
        }
        return next;
    }

    const std::size_t top_;     // 0: all
    const bool is_top_of_all_;  // and not of each place
    const grouping grouping_;
    group_totals groups_;
    std::string_view place_;  // of the last result
    std::size_t given_ = 0;   // results of that place
};

constexpr const char* aggregate_details =
    R"(Makes groups of the values that are equal in all the fields "by"; without them all are one
group. For each it gives an object with these fields, with "count", and with what "compute" asks
for of each field in "of", under names such as bytes_sum. That may be sum, mean, min, max, median,
or a percentile such as p95. These two are numbers of the group: the median of 1, 2, 3 and 4 is 2.
Values in which a field is missing or null do not count for it. A field that is there and no number
is an error. An array is one value; unbatch before it gives its elements. Numbers in "by" are equal
if they are written the same: 1.10 and 1.1 are two groups.

The largest "top_by" comes first, which is "count" or a name such as bytes_sum. With "top"
only so many are given, with "top_in" so many for each combination of these fields, which are
some of "by".

Without an output queue each is printed as a line of JSON. All groups must fit into "memory",
which all workers share. More are an error. For median and percentiles a group keeps each of its
numbers, which takes 16 bytes.

    { "stage": "aggregate", "from": "requests", "to": "sums",
      "options": { "by": "status", "of": ["bytes", "time"], "compute": ["sum", "p95"] } }
    { "stage": "aggregate", "from": "requests",
      "options": { "by": ["status", "url"], "top": 3, "top_in": "status" } })";

}  // namespace

void add_aggregate(stage_registry& stages)
{
    using texts = std::vector<std::string>;
    stage_options<aggregate_options> options;
    // The types are written out, because a member of the base is not deduced as one of these.
    options
        .optional<texts>(
            "by",
            &aggregate_options::by,
            "the fields that are equal in a group"
        )
        .optional<texts>("of", &aggregate_options::of, "the fields whose numbers count")
        .optional<texts>(
            "compute",
            &aggregate_options::compute,
            "what is computed of these",
            {.needs = {"of"}}
        )
        .optional(
            "top",
            &aggregate_options::top,
            "how many groups are given; 0: all",
            {.minimum = 0}
        )
        .optional<texts>(
            "top_in",
            &aggregate_options::top_in,
            "for each of what so many are given"
        )
        .optional<std::string>(
            "top_by",
            &aggregate_options::top_by,
            "by what the groups are ranked"
        );
    stages.add<aggregate>(
        {.name = "aggregate",
         .summary = "counts values in groups, and computes sums and the like",
         .takes = element_kind::any,
         .gives = element_kind::value,
         .details = aggregate_details,
         .output_is_optional = true},
        add_memory_option(options)
    );
}

}  // namespace sluice::pipeline
