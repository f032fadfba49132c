// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/file_source.hpp"
#include "pipeline/stages/csv_parser.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <memory>
#include <string>
#include <vector>

namespace sluice::pipeline {

namespace {

struct csv_options : file_options
{
    bool header = true;
    std::vector<std::string> columns;
    std::string separator = ",";
    bool numbers = true;
};

csv_format to_format(const csv_options& options)
{
    const std::string& separator = options.separator;
    if (separator.size() != 1 || separator.find_first_of("\"\r\n") != std::string::npos)
        throw option_error(
            "separator",
            detail::in_quotes(separator),
            "one character of ASCII, but no quote and no end of line"
        );
    if (const auto name = repeated_name(options.columns))
        throw option_error(
            "columns",
            detail::in_quotes(*name) + " twice",
            "different names"
        );
    return {
        .separator = separator.front(),
        .header = options.header,
        .columns = options.columns,
        .numbers = options.numbers
    };
}

class csv final : public file_source
{
public:
    explicit csv(const csv_options& options)
        : file_source(options), format_(to_format(options))
    {
    }

private:
    [[nodiscard]] std::unique_ptr<record_parser> make_parser() const override
    {
        return std::make_unique<csv_parser>(format_);
    }

    const csv_format format_;
};

constexpr const char* csv_details =
    R"(Each record becomes an object with a member for each column. The names are those in the
first record, or "columns", and all different; with "header" false and no columns each
record becomes an array. Fields may be in quotes, and then hold separators, newlines and,
written twice, quotes. Those without quotes that are numbers become numbers; 007 stays a text.
Empty lines are left out. A record with more or fewer fields than there are columns is an
error with the file and the line. Files are found and uncompressed as by text_lines.

    { "stage": "csv", "to": "records",
      "options": { "files": ["prices.csv"], "separator": ";" } })";

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
        .optional("numbers", &options::numbers, "whether numbers become numbers");
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
