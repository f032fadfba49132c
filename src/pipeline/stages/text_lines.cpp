// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/file_source.hpp"
#include "pipeline/input/line_parsers.hpp"
#include "pipeline/stages/stages.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace {

constexpr const char* text_lines_details =
    R"(Each line is a text, without its newline or carriage return and newline; a last line
counts although nothing ends it. Other bytes are passed on as they are.

A directory stands for all files in it and below it whose name matches "match". In it, a
symbolic link to a file counts as that file, and one to a directory is not followed. What is no
file, such as a named pipe or a link to nothing, does not count. What is compressed with gzip is
recognised by its content and uncompressed. With several workers each file is read by one of them.

    { "stage": "text_lines", "to": "lines",
      "options": { "files": ["/usr/include"], "match": "*.h" } })";

}  // namespace

void add_text_lines(stage_registry& stages)
{
    stage_options<file_options> options;
    stages.add<source_of<text_line_parser>>(
        {.name = "text_lines",
         .summary = "reads the lines of files, directories or standard input",
         .takes = element_kind::none,
         .gives = element_kind::text,
         .details = text_lines_details},
        add_file_options(options)
    );
}

}  // namespace sluice::pipeline
