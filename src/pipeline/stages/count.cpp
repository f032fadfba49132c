// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/spill/in_steps.hpp"
#include "pipeline/spill/keyed_totals.hpp"
#include "pipeline/spill/memory_option.hpp"
#include "pipeline/spill/record_bytes.hpp"
#include "pipeline/spill/record_sorter.hpp"
#include "pipeline/spill/sort_all.hpp"
#include "pipeline/stages/element_content.hpp"
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

struct count_options : line_options, spill::memory_options
{
    std::int64_t top = 0;
    std::optional<std::string> field;
};

// How often a text came, as it is stored and put to disk.
struct tally_form
{
    using value = std::uint64_t;

    static void append(value tally, std::string& out) { spill::append_raw(out, tally); }

    static value take(std::string_view bytes) { return spill::take_raw<value>(bytes); }

    static std::size_t add(value& to, value from) noexcept
    {
        to += from;
        return 0;
    }
};

using tallies = spill::keyed_totals<tally_form>;

// A text and how often it came, in the order in which they are given: the most frequent ones
// first, equally frequent ones in the order of their texts.
void write_rank(std::uint64_t count, std::string_view text, std::string& out)
{
    out.clear();
    spill::append_ordered(out, ~count);
    out += text;
}

std::pair<std::uint64_t, std::string_view> read_rank(std::string_view rank)
{
    const std::uint64_t count = ~spill::take_ordered(rank);
    return {count, rank};
}

class count final : public stage
{
public:
    explicit count(const count_options& options)
        : top_(static_cast<std::size_t>(options.top)),
          memory_(spill::half_of(options)),
          rules_(text_rules(options)),
          tallies_(memory_)
    {
        if (options.field)
            field_.emplace(*options.field, "field");
    }

    asio::awaitable<void> work(stage_context& context) override
    {
        tallies_.enter();
        tallies::table own;
        while (true) {
            std::vector<element> taken = co_await context.read();
            if (taken.empty())
                break;
            for (element& each : taken) {
                count_element(each, own);
                if (tallies_.is_full(own))
                    co_await tallies_.spill(own, context);
            }
        }
        tallies_.leave(std::move(own));
    }

    asio::awaitable<void> finish(stage_context& context) override
    {
        co_await tallies_.prepare(context);
        spill::record_sorter ranking({.memory = memory_, .most = top_});
        std::string rank;
        const auto add_next = [this, &ranking, &rank] {
            if (!tallies_.next())
                return false;
            write_rank(tallies_.current(), tallies_.key(), rank);
            ranking.add(rank, {});
            return true;
        };
        co_await spill::sort_all(ranking, add_next, context);
        if (context.has_output())
            co_await write(ranking, context);
        else
            co_await spill::in_steps(context, [this, &ranking, &context] {
                print_some(ranking, context.out());
                return ranking.has_record();
            });
    }

private:
    void count_element(element& counted, tallies::table& own) const
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
        json_value* const found = field_->find(expect_value(counted, R"("field")"));
        return found != nullptr ? to_key(element(std::move(*found))) : "null";
    }

    // As it is; newlines matter only where it is printed.
    [[nodiscard]] std::string to_key(element&& counted) const
    {
        line_rules rules = rules_;
        rules.newlines = newline_rule::keep;
        return to_line(std::move(counted), rules);
    }

    static asio::awaitable<void> write(
        spill::record_sorter& ranking,
        stage_context& context
    )
    {
        while (ranking.has_record()) {
            std::vector<element> out = co_await context.blocking([&ranking] {
                return next_values(ranking);
            });
            co_await context.write(out);
        }
    }

    static std::vector<element> next_values(spill::record_sorter& ranking)
    {
        std::vector<element> values;
        for (; values.size() < stage_context::batch_size && ranking.has_record();
             ranking.next()) {
            const auto [tally, text] = read_rank(ranking.key());
            auto value = json_value::object();
            value["text"] = text;
            value["count"] = tally;
            values.emplace_back(std::move(value));
        }
        return values;
    }

    void print_some(spill::record_sorter& ranking, output& out) const
    {
        constexpr std::size_t most_at_once = 64 * 1024;
        std::string lines;
        for (; lines.size() < most_at_once && ranking.has_record(); ranking.next()) {
            const auto [tally, text] = read_rank(ranking.key());
            fmt::format_to(
                std::back_inserter(lines),
                "{}\t{}\n",
                tally,
                to_line(std::string(text), rules_.newlines)
            );
        }
        out.write(lines);
    }

    const std::size_t top_;       // 0: all
    const std::uint64_t memory_;  // for the tables, and for the ranking
    const line_rules rules_;
    std::optional<field_path> field_;  // what is counted of a value, if not all of it
    tallies tallies_;
};

constexpr const char* count_details =
    R"(Prints a line for each different element: how often it came, a tab, its text. The most
frequent ones come first, equally frequent ones in the order of their bytes. "field" is the
name of a member of values, or a JSON pointer; those without it count as null. A batch counts
as its elements, and a value by what it looks like: 1 and "1" are the same, 1 and 1.0 are not.
A text with a newline cannot be printed in one line; it is an error unless "newlines" says what
to do with it.

With an output queue it gives values instead: {"text": "the", "count": 12}. There may be more
different elements than fit into "memory", which all workers share. What does not fit is put
into temporary files, which have no name, in the directory TMPDIR or in /tmp.

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
    spill::add_memory_option(options);
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
