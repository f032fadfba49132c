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

// Writes elements as lines.
template <line_format Format>
class line_sink final : public file_sink
{
public:
    explicit line_sink(const file_sink_options& options) : file_sink(options) {}

private:
    [[nodiscard]] std::string encode(std::vector<element>&& elements) override
    {
        return to_lines(std::move(elements), Format);
    }
};

constexpr const char* write_lines_details =
    R"(A text is written as it is, a JSON string without quotes, and anything else as JSON.
The file is there when the pipeline has come to its end, and as before if it has not: until
then it has a temporary name in the same directory. A device or a pipe is written to directly.

    { "stage": "write_lines", "from": "lines",
      "options": { "path": "result.txt", "gzip": false } })";

constexpr const char* write_json_lines_details =
    R"(Texts are written as JSON strings, batches as arrays.
The file is there when the pipeline has come to its end, and as before if it has not: until
then it has a temporary name in the same directory. A device or a pipe is written to directly.

    { "stage": "write_json_lines", "from": "records",
      "options": { "path": "result.json.gz", "gzip": true } })";

template <line_format Format>
void add_line_sink(
    stage_registry& stages,
    std::string name,
    std::string summary,
    std::string details
)
{
    stage_options<file_sink_options> options;
    stages.add<line_sink<Format>>(
        {.name = std::move(name),
         .summary = std::move(summary),
         .takes = element_kind::any,
         .gives = element_kind::none,
         .details = std::move(details)},
        add_file_sink_options(options)
    );
}

}  // namespace

void add_write_lines(stage_registry& stages)
{
    add_line_sink<line_format::text>(
        stages,
        "write_lines",
        "writes each element as a line into a file",
        write_lines_details
    );
}

void add_write_json_lines(stage_registry& stages)
{
    add_line_sink<line_format::json>(
        stages,
        "write_json_lines",
        "writes each element as JSON, a line each, into a file",
        write_json_lines_details
    );
}

}  // namespace sluice::pipeline
