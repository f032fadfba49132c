// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/to_lines.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

struct count_options : line_options
{
    std::int64_t top = 0;
    std::optional<std::string> field;
};

using counts = boost::unordered_flat_map<std::string, std::uint64_t>;
using entry = counts::value_type;

bool is_before(const entry* a, const entry* b)
{
    return a->second != b->second ? a->second > b->second : a->first < b->first;
}

// The `top` most frequent ones, or all; equally frequent ones in the order of their texts.
std::vector<const entry*> ranking(const counts& all, std::size_t top)
{
    std::vector<const entry*> entries;
    entries.reserve(all.size());
    for (const entry& each : all)
        entries.push_back(&each);
    const std::size_t shown = top == 0 ? entries.size() : std::min(top, entries.size());
    const auto end = entries.begin() + static_cast<std::ptrdiff_t>(shown);
    // For all of them an ordinary sort is several times as fast.
    if (end != entries.end())
        std::partial_sort(entries.begin(), end, entries.end(), is_before);
    else
        std::sort(entries.begin(), end, is_before);
    entries.erase(end, entries.end());
    return entries;
}

class count final : public stage
{
public:
    explicit count(const count_options& options)
        : top_(static_cast<std::size_t>(options.top)), rules_(text_rules(options))
    {
        if (options.field)
            field_.emplace(*options.field, "field");
    }

    asio::awaitable<void> work(stage_context& context) override
    {
        counts own;
        while (true) {
            std::vector<element> taken = co_await context.read();
            if (taken.empty())
                break;
            for (element& each : taken)
                count_element(each, own);
        }
        merge(std::move(own));
    }

    asio::awaitable<void> finish(stage_context& context) override
    {
        const std::vector<const entry*> entries = co_await context.blocking([this] {
            return ranking(total_, top_);
        });
        if (context.has_output())
            co_await write(entries, context);
        else
            co_await context.blocking([&] { print(entries, context.out()); });
    }

private:
    void count_element(element& counted, counts& own) const
    {
        if (counted.kind() == element_kind::batch)
            for (element& each : counted.elements())
                count_element(each, own);
        else if (counted.is_text() && !field_)
            ++own[std::move(counted.text())];  // moved from only if it is new
        else
            ++own[text_of(std::move(counted))];
    }

    [[nodiscard]] std::string text_of(element&& counted) const
    {
        if (!field_)
            return to_key(std::move(counted));
        json_value* const found = field_->find(expect_value(counted, "count by field"));
        return found != nullptr ? to_key(element(std::move(*found))) : "null";
    }

    // As it is; newlines matter only where it is printed.
    [[nodiscard]] std::string to_key(element&& counted) const
    {
        line_rules rules = rules_;
        rules.newlines = newline_rule::keep;
        return to_line(std::move(counted), rules);
    }

    void merge(counts&& own)
    {
        const std::lock_guard lock(mutex_);
        if (total_.empty())
            total_ = std::move(own);
        else
            for (const entry& each : own)
                total_[each.first] += each.second;
    }

    static asio::awaitable<void> write(
        const std::vector<const entry*>& entries,
        stage_context& context
    )
    {
        std::vector<element> out;
        for (const entry* each : entries) {
            auto value = json_value::object();
            value["text"] = each->first;
            value["count"] = each->second;
            out.emplace_back(std::move(value));
            if (out.size() == stage_context::batch_size)
                co_await context.write(out);
        }
        if (!out.empty())
            co_await context.write(out);
    }

    void print(const std::vector<const entry*>& entries, output& out) const
    {
        constexpr std::size_t piece_size = 64 * 1024;
        std::string lines;
        for (const entry* each : entries) {
            fmt::format_to(
                std::back_inserter(lines),
                "{}\t{}\n",
                each->second,
                to_line(each->first, rules_.newlines)
            );
            if (lines.size() >= piece_size)
                out.write(std::exchange(lines, {}));
        }
        out.write(lines);
    }

    const std::size_t top_;  // 0: all
    const line_rules rules_;
    std::optional<field_path> field_;  // what is counted of a value, if not all of it
    std::mutex mutex_;
    counts total_;  // guarded by mutex_ until finish()
};

constexpr const char* count_details =
    R"(Prints a line for each different element: how often it came, a tab, its text. The most
frequent ones come first, equally frequent ones in the order of their bytes. "field" is the
name of a member of values, or a JSON pointer; those without it count as null. A batch counts
as its elements, and a value by what it looks like: 1 and "1" are the same, 1 and 1.0 are not.
A text with a newline cannot be printed in one line; it is an error unless "newlines" says what
to do with it.

With an output queue it gives values instead: {"text": "the", "count": 12}. All different
elements are kept in memory, once for each worker.

    { "stage": "count", "from": "words", "options": { "top": 20 } })";

}  // namespace

void add_count(stage_registry& stages)
{
    stage_options<count_options> options;
    options
        .optional(
            "top",
            &count_options::top,
            "how many of the most frequent ones are given; 0: all",
            {.minimum = 0}
        )
        .optional("field", &count_options::field, "what is counted, instead of all");
    stages.add<count>(
        {.name = "count",
         .summary = "counts how often each element comes",
         .takes = element_kind::any,
         .gives = element_kind::value,
         .details = count_details,
         .output_is_optional = true},
        add_line_options(options)
    );
}

}  // namespace sluice::pipeline
