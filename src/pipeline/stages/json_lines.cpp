// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/file_source.hpp"
#include "pipeline/input/line_parsers.hpp"
#include "pipeline/stages/stages.hpp"
#include <sluice/pipeline/stage_registry.hpp>

namespace sluice::pipeline {

namespace {

constexpr const char* json_lines_details =
    R"(Each line is a JSON value; empty lines are left out. What is no JSON is an error with the
file and the line, and so is a name twice in one object. A value stays as it
is written, with its blanks, as long as no stage changes it. Files are found and uncompressed as by text_lines.

    { "stage": "json_lines", "to": "records", "options": { "files": ["events.json.gz"] } })";

}  // namespace

void add_json_lines(stage_registry& stages)
{
    stage_options<file_options> options;
    stages.add<source_of<json_line_parser>>(
        {.name = "json_lines",
         .summary = "reads files or standard input with a JSON value on each line",
         .takes = element_kind::none,
         .gives = element_kind::value,
         .details = json_lines_details},
        add_file_options(options)
    );
}

}  // namespace sluice::pipeline
