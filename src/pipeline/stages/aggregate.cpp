// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/refused_element.hpp"
#include "pipeline/spill/in_steps.hpp"
#include "pipeline/spill/keyed_totals.hpp"
#include "pipeline/spill/memory_option.hpp"
#include "pipeline/spill/record_sorter.hpp"
#include "pipeline/spill/sort_all.hpp"
#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/grouping.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/to_lines.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

struct aggregate_options : grouping_options, spill::memory_options
{
    std::int64_t top = 0;
};

using group_totals = spill::keyed_totals<group_form>;

class aggregate final : public stage
{
public:
    explicit aggregate(const aggregate_options& options)
        : top_(static_cast<std::size_t>(options.top)),
          is_top_of_all_(options.top_in.empty()),
          memory_(spill::half_of(options)),
          most_kept_(memory_ / sizeof(double)),
          grouping_(options),
          groups_(memory_, {.most_kept = most_kept_})
    {
    }

    asio::awaitable<void> work(stage_context& context) override
    {
        groups_.enter();
        group_totals::table own;
        while (true) {
            std::vector<element> taken = co_await context.read();
            if (taken.empty())
                break;
            std::vector<refused_element> refused;
            for (element& each : taken) {
                add(each, own, context.on_error(), refused);
                if (groups_.is_full(own)) {
                    note_large_groups(own);
                    co_await groups_.spill(own, context);
                }
            }
            for (refused_element& each : refused)
                co_await context.skip(std::move(each.content), std::move(each.reason));
        }
        groups_.leave(std::move(own));
    }

    [[nodiscard]] bool can_skip() const noexcept override { return true; }

    asio::awaitable<void> finish(stage_context& context) override
    {
        co_await groups_.prepare(context);
        spill::record_sorter results(
            {.memory = memory_, .most = is_top_of_all_ ? top_ : 0}
        );
        const auto add_next = [this, &results] { return add_next_result(results); };
        co_await spill::sort_all(results, add_next, context);
        if (context.has_output())
            co_await write(results, context);
        else
            co_await spill::in_steps(context, [this, &results, &context] {
                context.out().write(
                    to_lines(next_results(results), {.format = line_format::json})
                );
                return results.has_record();
            });
    }

private:
    void add(
        element& counted,
        group_totals::table& own,
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
            json_value& value = expect_value(counted);
            // All is looked at before anything is changed.
            const std::vector<const json_value*> found = grouping_.numbers_of(value);
            own.grow(grouping_.add(found, own[grouping_.key_of(value)]));
        } catch (const std::runtime_error& error) {
            if (on_error == error_action::fail)
                throw;
            refused.push_back({std::move(counted), error.what()});
        }
    }

    // A group whose numbers take much of the memory will be there again; when they cannot be
    // brought together any more, nothing is gained by going on.
    void note_large_groups(group_totals::table& own)
    {
        if (!grouping_.keeps_all())
            return;
        constexpr std::uint64_t share = 64;
        const std::lock_guard lock(mutex_);
        for (const auto& [key, each] : own) {
            if (each.kept() < most_kept_ / share)
                continue;
            std::uint64_t& kept = kept_of_large_[key];
            kept += each.kept();
            if (kept > most_kept_)
                fail_with_too_many_numbers(most_kept_, key);
        }
    }

    bool add_next_result(spill::record_sorter& results)
    {
        if (!groups_.next())
            return false;
        const std::string key(groups_.key());
        const json_value result = grouping_.result_of(key, groups_.current());
        std::string bytes;
        json_value::to_cbor(result, bytes);
        results.add(grouping_.rank_of(result, key), bytes);
        return true;
    }

    asio::awaitable<void> write(spill::record_sorter& results, stage_context& context)
    {
        while (results.has_record()) {
            std::vector<element> out = co_await context.blocking([this, &results] {
                return next_results(results);
            });
            if (!out.empty())
                co_await context.write(out);
        }
    }

    // The next ones in order, and for each place not more than are asked for. None are not the
    // end: a place may have many more than that.
    std::vector<element> next_results(spill::record_sorter& results)
    {
        std::vector<element> next;
        std::string bytes;
        for (std::size_t i = 0; i < stage_context::batch_size && results.has_record();
             ++i, results.next()) {
            const std::string_view place = grouping::place_in(results.key());
            given_ = place == place_ ? given_ + 1 : 1;
            if (given_ == 1)
                place_ = place;
            if (top_ != 0 && given_ > top_)
                continue;
            bytes.clear();
            results.append_value(bytes);
            next.emplace_back(json_value::from_cbor(bytes));
        }
        return next;
    }

    const std::size_t top_;          // 0: all
    const bool is_top_of_all_;       // and not of each place
    const std::uint64_t memory_;     // for the tables, and for the results
    const std::uint64_t most_kept_;  // numbers in one group
    const grouping grouping_;
    group_totals groups_;
    std::mutex mutex_;
    std::map<std::string, std::uint64_t> kept_of_large_;  // guarded by mutex_
    std::string place_;                                   // of the last result
    std::size_t given_ = 0;                               // results of that place
};

constexpr const char* aggregate_details =
    R"(Makes groups of the values that are equal in all the fields "by"; without them all are one
group. For each it gives an object with these fields, with "count", and with what "compute" asks
for of each field in "of", under names such as bytes_sum. That may be sum, mean, min, max, median,
or a percentile such as p95. These two are numbers of the group: the median of 1, 2, 3 and 4 is 2.
Values in which a field is missing or null do not count for it. A field that is there and no number
is an error. A batch counts as its elements. Numbers in "by" are equal if they are written the same:
1.10 and 1.1 are two groups.

The largest "top_by" comes first, which is "count" or a name such as bytes_sum. With "top"
only so many are given, with "top_in" so many for each combination of these fields, which are
some of "by".

Without an output queue each is printed as a line of JSON. There may be more groups than fit
into "memory", which all workers share. What does not fit is put into temporary files, which
have no name, in the directory TMPDIR or in /tmp. For median and percentiles the numbers of a
single group must fit into half of "memory", 8 bytes each. If they do not, that is an error.

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
            "what is computed of these"
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
        spill::add_memory_option(options)
    );
}

}  // namespace sluice::pipeline
