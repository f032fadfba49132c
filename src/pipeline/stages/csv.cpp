// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/csv_line.hpp"
#include "pipeline/different_names.hpp"
#include "pipeline/input/file_source.hpp"
#include "pipeline/stages/csv_parser.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace sluice::pipeline {

namespace {

void check_numbers(const csv_options& options)
{
    const nlohmann::json& numbers = options.numbers;
    const auto is_text = [](const nlohmann::json& each) { return each.is_string(); };
    const bool is_list = numbers.is_array() && std::ranges::all_of(numbers, is_text);
    const auto refuse = [&](const char* expected) {
        throw option_error("numbers", detail::in_words(numbers), expected);
    };
    if (!numbers.is_boolean() && !is_list)
        refuse("true, false or an array of the names of columns");
    if (is_list && !options.header && options.columns.empty())
        refuse("true or false, because the columns have no names");
    if (is_list && !options.columns.empty())
        for (const nlohmann::json& name : numbers)
            if (std::ranges::find(options.columns, name.get<std::string>()) ==
                options.columns.end())
                throw option_error("numbers", detail::in_words(name), "names of columns");
}

const csv_options& checked(const csv_options& options)
{
    (void)checked_separator(options.separator);
    expect_different_names("columns", options.columns);
    check_numbers(options);
    if (options.comment.starts_with('"') ||
        options.comment.find_first_of("\r\n") != std::string::npos)
        throw option_error(
            "comment",
            detail::in_quotes(options.comment),
            "what a line may begin with, but no quote and no end of line"
        );
    return options;
}

class csv final : public file_source
{
public:
    explicit csv(const csv_options& options)
        : file_source(options), options_(checked(options))
    {
    }

private:
    [[nodiscard]] std::unique_ptr<record_parser> make_parser() const override
    {
        return std::make_unique<csv_parser>(options_);
    }

    const csv_options options_;
};

constexpr const char* csv_details =
    R"(Each record becomes an object with a member for each column. The names are those in the
first record, or "columns", and all different; with "header" false and no columns each
record becomes an array. Fields may be in quotes, and then hold separators, newlines and,
written twice, quotes. A record ends with a newline, a carriage return or both. Empty lines are
left out. A file that is empty, or has nothing but a header, gives no records. A record with
more or fewer fields than columns is an error with the file and the line. If
"short_records" is "fill", those that are missing are null. A wrong quote is an error of the line
in which the record begins, and reading goes on with the next line. Lines that begin with "comment"
are left out, but not inside of quotes. Files are found and uncompressed as by text_lines.

Fields are texts, and stay as they are written. In the columns of "numbers", or in all if it is
true, what JSON calls a number becomes one: 12, -0.5 and 1e3, also in quotes. Others,
such as 007, +1, .5 and n/a, stay texts. A number, too, is written as it was read: 1.10 is not
changed to 1.1.

    { "stage": "csv", "to": "records",
      "options": { "files": ["prices.csv"], "separator": ";", "numbers": ["price"] } })";

}  // namespace

void add_csv(stage_registry& stages)
{
    using options = csv_options;
    stage_options<options> described;
    add_file_options(described)
        .optional("header", &options::header, "whether the first record holds names")
        .optional(
            "columns",
            &options::columns,
            "the names, instead of those in the header"
        )
        .optional("separator", &options::separator, "what stands between fields")
        .optional(
            "numbers",
            &options::numbers,
            "the columns whose fields become numbers, or whether all do"
        )
        .optional(
            "skip_lines",
            &options::skip_lines,
            "how many lines of each file come before the header",
            {.minimum = 0}
        )
        .optional(
            "comment",
            &options::comment,
            "what lines begin with that are no records, such as \"#\""
        )
        .optional(
            "short_records",
            &options::short_records,
            "what happens to records with too few fields; fill: null stands for them",
            {.choices = {"error", "fill"}}
        );
    stages.add<csv>(
        {.name = "csv",
         .summary = "reads the records of CSV files or standard input",
         .takes = element_kind::none,
         .gives = element_kind::value,
         .details = csv_details},
        std::move(described)
    );
}

}  // namespace sluice::pipeline
