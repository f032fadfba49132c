// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/file_source.hpp"
#include "pipeline/stages/stages.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace {

// Values are printed by functions that call themselves for each level.
constexpr std::size_t deepest = 500;

// How deep arrays and objects are nested in a JSON text.
std::size_t depth_of(std::string_view text)
{
    std::size_t depth = 0;
    std::size_t greatest = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"')
            in_string = !in_string;
        else if (in_string)
            i += c == '\\' ? 1 : 0;
        else if (c == '[' || c == '{')
            greatest = std::max(greatest, ++depth);
        else if ((c == ']' || c == '}') && depth > 0)
            --depth;
    }
    return greatest;
}

// What the JSON library says, without the number of its error and of the only line.
std::string_view reason(const nlohmann::json::parse_error& error)
{
    const std::string_view text = error.what();
    const auto place = text.find("column ");
    return place == text.npos ? text : text.substr(place);
}

class json_parser final : public line_parser
{
public:
    void begin(const std::string& name) override
    {
        name_ = name;
        line_ = 0;
    }

private:
    void add(std::string&& line, std::vector<element>& out) override
    {
        ++line_;
        if (line.find_first_not_of(" \t") == std::string::npos)
            return;
        // The JSON library takes it for the end of the text.
        if (const auto nul = line.find('\0'); nul != std::string::npos)
            fail(fmt::format("no JSON: column {}: a NUL byte", nul + 1));
        if (depth_of(line) > deepest)
            fail(fmt::format("nested deeper than {} levels", deepest));
        try {
            out.emplace_back(nlohmann::json::parse(line));
        } catch (const nlohmann::json::parse_error& error) {
            fail(fmt::format("no JSON: {}", reason(error)));
        } catch (const nlohmann::json::out_of_range&) {
            fail("a number is beyond the range of floating point");
        }
    }

    [[noreturn]] void fail(std::string_view what) const
    {
        throw std::runtime_error(fmt::format("{}, line {}: {}", name_, line_, what));
    }

    std::string name_;      // of the file
    std::size_t line_ = 0;  // the number of the last one
};

constexpr const char* json_lines_details =
    R"(Each line is a JSON value; empty lines are left out. What is no JSON is an error with the
file and the line. Files are found and uncompressed as by text_lines.

    { "stage": "json_lines", "to": "records", "options": { "files": ["events.json.gz"] } })";

}  // namespace

void add_json_lines(stage_registry& stages)
{
    stage_options<file_options> options;
    stages.add<source_of<json_parser>>(
        {.name = "json_lines",
         .summary = "reads files or standard input with a JSON value on each line",
         .takes = element_kind::none,
         .gives = element_kind::value,
         .details = json_lines_details},
        add_file_options(options)
    );
}

}  // namespace sluice::pipeline
