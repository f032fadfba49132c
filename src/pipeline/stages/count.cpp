// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/data/content.hpp"
#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/in_steps.hpp"
#include "pipeline/stages/keyed_totals.hpp"
#include "pipeline/stages/memory_option.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/to_lines.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

struct count_options : line_options, memory_options
{
    std::int64_t top = 0;
    std::optional<std::string> field;
};

// How often a text came. The most frequent ones are given first, equally frequent ones in the
// order of their texts.
struct tally
{
    std::size_t add(tally&& other) noexcept
    {
        count += other.count;
        return 0;
    }

    template <class Entry>
    [[nodiscard]] static bool comes_before(const Entry& a, const Entry& b) noexcept
    {
        return a.second.count != b.second.count ? a.second.count > b.second.count
                                                : a.first < b.first;
    }

    std::uint64_t count = 0;
};

using tallies = keyed_totals<tally>;

class count final : public stage
{
public:
    explicit count(const count_options& options)
        : top_(static_cast<std::size_t>(options.top)),
          rules_(text_rules(options)),
          tallies_(options.memory.count)
    {
        if (options.field)
            field_.emplace(*options.field, "field");
    }

    asio::awaitable<void> work(stage_context& context) override
    {
        tallies::table own(tallies_);
        std::string scratch;
        while (true) {
            std::vector<element> taken = co_await context.read();
            if (taken.empty())
                break;
            for (const element& each : taken)
                ++own[key_of(each, scratch)].count;
        }
        tallies_.leave(std::move(own));
    }

    asio::awaitable<void> finish(stage_context& context) override
    {
        co_await tallies_.unite(context);
        co_await tallies_.rank(context, top_, [](const tally&) {});
        if (context.has_output())
            co_await write(context);
        else
            co_await in_steps(context, [this, &context] {
                print_some(context.out());
                return tallies_.has_next();
            });
    }

private:
    // As it is; newlines matter only where it is printed.
    [[nodiscard]] std::string_view key_of(const element& counted, std::string& scratch)
        const
    {
        if (field_)
            check_value(counted, R"("field")");
        const value_view found = field_ ? field_->find_in(counted)
                                        : detail::view_of(counted);
        if (found.is_string())
            return found.string(scratch);
        scratch.clear();
        if (!field_ && !found)
            append_element(counted, rules_, scratch);
        else
            append_compact(found, rules_, scratch);
        return scratch;
    }

    asio::awaitable<void> write(stage_context& context)
    {
        while (tallies_.has_next()) {
            std::vector<element> out = co_await context.blocking([this] {
                return next_values();
            });
            co_await context.write(out);
        }
    }

    std::vector<element> next_values()
    {
        std::vector<element> values;
        while (values.size() < stage_context::batch_size && tallies_.has_next()) {
            const auto& [text, counted] = tallies_.next();
            auto value = json_value::object();
            value["text"] = text;
            value["count"] = counted.count;
            values.emplace_back(std::move(value));
        }
        return values;
    }

    void print_some(output& out)
    {
        constexpr std::size_t most_at_once = 64 * 1024;
        std::string lines;
        while (lines.size() < most_at_once && tallies_.has_next()) {
            const auto& [text, counted] = tallies_.next();
            fmt::format_to(
                std::back_inserter(lines),
                "{}\t{}\n",
                counted.count,
                to_line(text, rules_.newlines)
            );
        }
        out.write(lines);
    }

    const std::size_t top_;  // 0: all
    const line_rules rules_;
    std::optional<field_path> field_;  // what is counted of a value, if not all of it
    tallies tallies_;
};

constexpr const char* count_details =
    R"(Prints a line for each different element: how often it came, a tab, its text. The most
frequent ones come first, equally frequent ones in the order of their bytes. "field" is the
name of a member of values, or a JSON pointer; those without it count as null. A value counts
by what it looks like: 1 and "1" are the same, 1 and 1.0 are not. So does an array as a whole;
unbatch before it gives its elements.
A text with a newline cannot be printed in one line; it is an error unless "newlines" says what
to do with it.

With an output queue it gives values instead: {"text": "the", "count": 12}. All different
elements must fit into "memory", which all workers share. More are an error. For these let a
"command" with sort and uniq count: the page of the command line has the pipeline.

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
    add_memory_option(options);
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
