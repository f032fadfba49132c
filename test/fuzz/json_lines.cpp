// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "fuzz/fuzzing.hpp"
#include "fuzz/reading.hpp"
#include "pipeline/data/json_text.hpp"
#include "pipeline/input/record_parser.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

// Input: a byte that says how long pieces are, and a file.

namespace sluice::fuzz {

namespace {

using namespace pipeline;

// The text without what may stand around the parts of a JSON value.
std::string without_blanks(std::string text)
{
    if (text.starts_with("\xef\xbb\xbf"))
        text.erase(0, 3);
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
    return text;
}

void try_value(const std::string& text, const json_value& value)
{
    const std::string written = to_json_text(value);
    require(
        json_value::parse(written) == json_value::parse(text),
        "what is written is what was read"
    );
    require(parse_json(written) == value, "what is written is read as it was");
    if (text.find('"') == text.npos)
        require(written == without_blanks(text), "numbers are written as they are read");
}

// JSON that is refused all the same: a name is there twice, or it is nested too deep.
bool is_refused_for_a_reason(const std::string& text, std::string_view reason)
{
    const bool is_json = json_value::accept(text) && text.find('\0') == text.npos;
    return !is_json || reason.ends_with("twice in one object") ||
           reason.starts_with("nested deeper");
}

// Takes the text for a record as the parser of files does.
void try_line(const std::string& text, reading& read)
{
    if (text.find_first_not_of(" \t\r") == text.npos)
        return;
    try {
        const json_value value = parse_json(text);
        try_value(text, value);
        read.records.emplace_back(value);
    } catch (const std::runtime_error& error) {
        require(is_refused_for_a_reason(text, error.what()), "JSON is read");
        read.refused.push_back({element(text), error.what()});
    }
}

reading read_by_line(std::string_view file)
{
    constexpr std::string_view mark = "\xef\xbb\xbf";
    reading read;
    for (bool is_first = true; !file.empty(); is_first = false) {
        const bool is_complete = file.find('\n') != file.npos;
        std::string line(take_line(file));
        if (is_complete && line.ends_with('\r'))
            line.pop_back();
        if (line.starts_with(mark) && !is_first) {
            read.refused.push_back(
                {element(line), "no JSON: a byte order mark inside of the file"}
            );
            continue;
        }
        if (line.starts_with(mark))
            line.erase(0, mark.size());
        try_line(line, read);
    }
    return read;
}

bool says_the_same(const reading& file, const reading& lines)
{
    const auto is_same = [](const refused_element& of_file,
                            const refused_element& of_line) {
        return of_file.content == of_line.content &&
               of_file.reason.ends_with(of_line.reason);
    };
    return file.records == lines.records &&
           std::ranges::equal(file.refused, lines.refused, is_same);
}

}  // namespace

void try_input(std::string_view input)
{
    const std::size_t size = take_byte(input);
    const auto read = [&](std::size_t piece, bool keeps_refused) {
        line_parser parser(field_form::json);
        if (keeps_refused)
            parser.keep_refused();
        reading first = read_all(parser, input, piece);
        if (first.error.empty())
            require(
                read_all(parser, input, piece) == first,
                "a file leaves nothing behind"
            );
        return first;
    };
    for (const bool keeps_refused : {false, true})
        require(
            read(0, keeps_refused) == read(size, keeps_refused),
            "how a file comes in pieces makes no difference"
        );
    require(
        says_the_same(read(0, true), read_by_line(input)),
        "each line is a record by itself"
    );
}

}  // namespace sluice::fuzz
