// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/file_sink.hpp"
#include "pipeline/stages/stages.hpp"
#include <sluice/pipeline/stage_registry.hpp>

namespace sluice::pipeline {

namespace {

class write_json_lines final : public file_sink
{
public:
    explicit write_json_lines(const file_sink_options& options)
        : file_sink(options, line_format::json)
    {
    }
};

constexpr const char* write_json_lines_details =
    R"(Texts are written as JSON strings, batches as arrays.
The file is there when the pipeline has come to its end, and as before if it has not: until
then it has a temporary name in the same directory. A device or a pipe is written to directly.

    { "stage": "write_json_lines", "from": "records",
      "options": { "path": "result.json.gz", "gzip": true } })";

}  // namespace

void add_write_json_lines(stage_registry& stages)
{
    stages.add<write_json_lines>(
        {.name = "write_json_lines",
         .summary = "writes each element as JSON, a line each, into a file",
         .takes = element_kind::any,
         .gives = element_kind::none,
         .details = write_json_lines_details},
        describe_file_sink_options()
    );
}

}  // namespace sluice::pipeline
