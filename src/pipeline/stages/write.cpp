// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/csv_fields.hpp"
#include "pipeline/stages/csv_writer.hpp"
#include "pipeline/stages/file_sink.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/to_lines.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace {

struct write_options : file_sink_options, line_options, csv_writer_options
{
    std::string format = "lines";
};

class writing final : public file_sink
{
public:
    explicit writing(const write_options& options)
        : file_sink(
              options,
              options.format == "csv"
                  ? std::optional(checked_separator(options.separator))
                  : std::nullopt
          ),
          rules_(options.format == "lines" ? text_rules(options) : json_rules(options))
    {
        if (options.format == "csv")
            csv_.emplace(options, rules_);
    }

    static stage_flow flow(const write_options& options)
    {
        const bool is_csv = options.format == "csv";
        return {
            .takes = is_csv ? element_kind::value : element_kind::any,
            .gives = element_kind::none
        };
    }

private:
    [[nodiscard]] std::string encode(std::vector<element>&& elements) override
    {
        return csv_ ? csv_->encode(elements) : to_lines(elements, rules_);
    }

    [[nodiscard]] std::string head() override { return csv_ ? csv_->head() : ""; }

    const line_rules rules_;
    std::optional<csv_writer> csv_;
};

constexpr const char* write_details =
    R"("format" says what an element becomes.

"lines": a text is written as it is, a JSON string without quotes, and anything else as JSON.
A text with a newline is an error unless "newlines" says what to do with it.

"json_lines": everything is written as JSON, one line each. Texts are strings, and numbers
are written as they were read.

"csv": each value becomes a record. "columns" names the fields that are written, in their order; a
field that is missing or null is empty. Without "columns" they are the fields of the first
value, and a value with more fields is an error, so that nothing is lost. Of an array all is
written. What is an array or an object inside a value is written as JSON. Fields are in quotes
if they need them.

Bytes inside JSON that are not UTF-8 are an error unless "invalid_utf8" is replace.

Without "path", or if it is "-", the result goes to standard output, where it appears at once. A
file is there when the pipeline has come to its end, and as before if it has not. Until
then it has a temporary name in the same directory. A device or a pipe is written to directly.
The result of a run that was drained is not whole. It gets the name of the file and
".partial".

With "append" elements are added to the file while the pipeline runs, for input without an end. What
was taken at a time is written at once, and a kill of the process loses none of it. A crash of the
machine loses at most what was written within "sync_interval". With "max_size" a full file is renamed
to its name and ".1", that one to ".2", up to "keep". A file that another program has renamed is begun
anew. A last line without its end is cut off, because a kill leaves one. One process at a time may
append. "gzip" is refused.

    { "stage": "write", "from": "lines" }
    { "stage": "write", "from": "records",
      "options": { "path": "result.json.gz", "format": "json_lines", "gzip": true } }
    { "stage": "write", "from": "orders",
      "options": { "path": "orders.csv", "format": "csv", "columns": ["id", "city", "price"] } })";

}  // namespace

void add_write(stage_registry& stages)
{
    using options = write_options;
    stage_options<options> described;
    described.optional(
        "format",
        &options::format,
        "what an element becomes",
        {.choices = {"lines", "json_lines", "csv"}}
    );
    const option_limits append{.needs = {"append"}};
    const option_limits csv{.needs = {"format"}, .needed_text = "csv"};
    // The types are written out, because a member of a base is not deduced as one of options.
    described
        .optional<std::string>("path", &options::path, "the file; \"-\": standard output")
        .optional<bool>("gzip", &options::gzip, "whether it is compressed")
        .optional<bool>(
            "append",
            &options::append,
            "whether elements are appended to the file at once, for input without an end"
        )
        .optional<std::optional<std::chrono::nanoseconds>>(
            "sync_interval",
            &options::sync_interval,
            "with append: when the disk has what was written, at the latest, else 5s",
            append
        )
        .optional<std::optional<byte_size>>(
            "max_size",
            &options::max_size,
            "with append: a file that would be larger gets a number, and a new one "
            "begins",
            append
        )
        .optional<std::optional<std::uint64_t>>(
            "keep",
            &options::keep,
            "with max_size: how many files with numbers are kept, else 5",
            {.minimum = 1, .maximum = 100, .needs = {"max_size"}}
        );
    add_line_options(described, {.needs = {"format"}, .needed_text = "lines"})
        .optional<std::vector<std::string>>(
            "columns",
            &options::columns,
            "csv: the fields that are written, in order",
            csv
        )
        .optional<bool>(
            "header",
            &options::header,
            "csv: whether their names are the first record",
            csv
        )
        .optional<std::string>(
            "separator",
            &options::separator,
            "csv: what stands between fields",
            csv
        );
    stages.add<writing>(
        {.name = "write",
         .summary =
             "writes elements as lines or records to standard output or into a file",
         .takes = element_kind::any,
         .gives = element_kind::none,
         .details = write_details},
        std::move(described)
    );
}

}  // namespace sluice::pipeline
