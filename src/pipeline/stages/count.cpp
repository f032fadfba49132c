// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/data/content.hpp"
#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/grouping_stage.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/to_lines.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::pipeline {

namespace {

struct count_options : line_options, group_options
{
    std::optional<std::string> field;
};

class count final : public grouping_stage
{
public:
    explicit count(const count_options& options)
        : grouping_stage(
              {.memory = options.memory.count,
               .top = static_cast<std::size_t>(options.top)}
          ),
          rules_(text_rules(options))
    {
        if (options.field)
            field_.emplace(*options.field, "field");
    }

    [[nodiscard]] boost::asio::awaitable<void> work(stage_context& context) override
    {
        return work_with(
            context,
            [this, scratch = std::string()](const element& given) mutable {
                return place{key_of(given, scratch)};
            }
        );
    }

private:
    [[nodiscard]] std::string_view key_of(const element& given, std::string& scratch)
        const
    {
        if (field_)
            check_value(given, R"("field")");
        const value_view found = field_ ? field_->find_in(given) : detail::view_of(given);
        if (found.is_string())
            return found.string(scratch);
        scratch.clear();
        if (!field_ && !found)
            append_element(given, rules_, scratch);
        else
            append_compact(found, rules_, scratch);
        return scratch;
    }

    void check_printed(std::string_view key) const override
    {
        expect_line(key, rules_.newlines);
    }

    [[nodiscard]] json_value result_of(groups::entry& made) const override
    {
        auto value = json_value::object();
        value["text"] = std::string(made.first);
        value["count"] = made.second.count;
        return value;
    }

    void append_line(groups::entry& made, std::string& lines) const override
    {
        lines += std::to_string(made.second.count);
        lines += '\t';
        lines += to_line(made.first, rules_.newlines);
        lines += '\n';
    }

    const line_rules rules_;
    std::optional<field_path> field_;  // what is counted of a value, if not all of it
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
    options.optional("field", &count_options::field, "what is counted, instead of all");
    add_group_options(options);
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
