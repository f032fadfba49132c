// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/file_sink.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/to_lines.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace {

// What its lines look like, and where they go.
template <class LineOptions>
struct line_sink_options : file_sink_options, LineOptions
{
};

using text_options = line_sink_options<line_options>;
using json_options = line_sink_options<json_line_options>;

const char* name_of(const text_options& /*options*/)
{
    return "write_lines";
}

const char* name_of(const json_options& /*options*/)
{
    return "write_json_lines";
}

line_rules rules_of(const text_options& options)
{
    return text_rules(options);
}

line_rules rules_of(const json_options& options)
{
    return json_rules(options);
}

// Writes elements as lines.
template <class Options>
class line_sink final : public file_sink
{
public:
    explicit line_sink(const Options& options)
        : file_sink(options), rules_(rules_of(options))
    {
    }

private:
    [[nodiscard]] std::string encode(std::vector<element>&& elements) override
    {
        return to_lines(std::move(elements), rules_);
    }

    const line_rules rules_;
};

constexpr const char* write_lines_details =
    R"(A text is written as it is, a JSON string without quotes, and anything else as JSON.
A text with a newline is an error unless "newlines" says what to do with it.
The file is there when the pipeline has come to its end, and as before if it has not. Until
then it has a temporary name in the same directory. A device or a pipe is written to directly.
The result of a run that was drained is not whole. It gets the name of the file and
".partial".

    { "stage": "write_lines", "from": "lines",
      "options": { "path": "result.txt", "gzip": false } })";

constexpr const char* write_json_lines_details =
    R"(Texts are written as JSON strings, batches as arrays, numbers as they were read. A text that
is not UTF-8 is an error unless "invalid_utf8" is replace.
The file is there when the pipeline has come to its end, and as before if it has not. Until
then it has a temporary name in the same directory. A device or a pipe is written to directly.
The result of a run that was drained is not whole. It gets the name of the file and
".partial".

    { "stage": "write_json_lines", "from": "records",
      "options": { "path": "result.json.gz", "gzip": true } })";

template <class Options>
void add_line_sink(
    stage_registry& stages,
    std::string summary,
    std::string details,
    stage_options<Options> options
)
{
    stages.add<line_sink<Options>>(
        {.name = name_of(Options()),
         .summary = std::move(summary),
         .takes = element_kind::any,
         .gives = element_kind::none,
         .details = std::move(details).append(append_details)},
        std::move(add_file_sink_options(options))
    );
}

}  // namespace

void add_write_lines(stage_registry& stages)
{
    stage_options<text_options> options;
    add_line_sink(
        stages,
        "writes each element as a line into a file",
        write_lines_details,
        add_line_options(options)
    );
}

void add_write_json_lines(stage_registry& stages)
{
    stage_options<json_options> options;
    add_line_sink(
        stages,
        "writes each element as JSON, a line each, into a file",
        write_json_lines_details,
        add_json_line_options(options)
    );
}

}  // namespace sluice::pipeline
