// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/file_source.hpp"
#include "pipeline/input/line_splitter.hpp"
#include "pipeline/stages/stages.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace {

class text_parser final : public record_parser
{
public:
    void parse(std::string_view piece, std::vector<element>& out) override
    {
        lines_.split(piece, [&out](std::string line) {
            out.emplace_back(std::move(line));
        });
    }

    void end(std::vector<element>& out) override
    {
        lines_.finish([&out](std::string line) { out.emplace_back(std::move(line)); });
    }

private:
    line_splitter lines_;
};

class text_lines : public file_source
{
public:
    explicit text_lines(file_options options, record_flow flow = record_flow::one_by_one)
        : file_source(std::move(options), flow)
    {
    }

private:
    [[nodiscard]] std::unique_ptr<record_parser> make_parser() const override
    {
        return std::make_unique<text_parser>();
    }
};

class text_batches final : public text_lines
{
public:
    explicit text_batches(file_options options)
        : text_lines(std::move(options), record_flow::as_batch)
    {
    }
};

constexpr const char* details_of_batches =
    R"(Reads as text_lines does. Of small elements a queue has more work than the stages at
its ends; a batch of some hundred lines is one element to it. A queue of such batches needs a
small capacity only.

    { "stage": "text_batches", "to": "lines", "options": { "files": ["large.txt"] } })";

constexpr const char* text_lines_details =
    R"(Each line is a text, without its newline or carriage return and newline; a last line
counts although nothing ends it. Other bytes are passed on as they are.

A directory stands for all files in it and below it whose name matches "match". What is
compressed with gzip is recognised by its content and uncompressed. With several workers
each file is read by one of them.

    { "stage": "text_lines", "to": "lines",
      "options": { "files": ["/usr/include"], "match": "*.h" } })";

}  // namespace

void add_text_lines(stage_registry& stages)
{
    stage_options<file_options> options;
    stages.add<text_lines>(
        {.name = "text_lines",
         .summary = "reads the lines of files, directories or standard input",
         .takes = element_kind::none,
         .gives = element_kind::text,
         .details = text_lines_details},
        add_file_options(options)
    );
}

void add_text_batches(stage_registry& stages)
{
    stage_options<file_options> options;
    stages.add<text_batches>(
        {.name = "text_batches",
         .summary = "reads lines as text_lines does and gives them in batches",
         .takes = element_kind::none,
         .gives = element_kind::batch,
         .details = details_of_batches},
        add_file_options(options)
    );
}

}  // namespace sluice::pipeline
