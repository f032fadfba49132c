// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/file_sink.hpp"
#include "pipeline/stages/stages.hpp"
#include <sluice/pipeline/stage_registry.hpp>

namespace sluice::pipeline {

namespace {

class write_lines final : public file_sink
{
public:
    explicit write_lines(const file_sink_options& options)
        : file_sink(options, line_format::text)
    {
    }
};

constexpr const char* write_lines_details =
    R"(A text is written as it is, a JSON string without quotes, and anything else as JSON.
The file is there when the pipeline has come to its end, and as before if it has not: until
then it has a temporary name in the same directory. A device or a pipe is written to directly.

    { "stage": "write_lines", "from": "lines",
      "options": { "path": "result.txt", "gzip": false } })";

}  // namespace

void add_write_lines(stage_registry& stages)
{
    stages.add<write_lines>(
        {.name = "write_lines",
         .summary = "writes each element as a line into a file",
         .takes = element_kind::any,
         .gives = element_kind::none,
         .details = write_lines_details},
        describe_file_sink_options()
    );
}

}  // namespace sluice::pipeline
