// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "fuzz/fuzzing.hpp"
#include "fuzz/reading.hpp"
#include "pipeline/stages/csv_parser.hpp"
#include "pipeline/stages/csv_writer.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

// Input: a byte of options, a byte that says how long pieces are, and a file.

namespace sluice::fuzz {

namespace {

using namespace pipeline;

enum : unsigned
{
    header = 1,
    columns = 2,
    numbers = 4,
    keeping_refused = 8,
    semicolons = 16
};

csv_options options_of(unsigned flags)
{
    csv_options options;
    options.header = (flags & header) != 0;
    if ((flags & columns) != 0)
        options.columns = {"a", "b"};
    options.numbers = (flags & numbers) != 0;
    options.separator = (flags & semicolons) != 0 ? ";" : ",";
    return options;
}

// As csv_writer does it: an empty line would be no record.
std::string line_of(const std::vector<std::string>& fields, char separator)
{
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (i > 0)
            line += separator;
        append_csv_field(fields[i], separator, line);
    }
    return line.empty() ? "\"\"" : line;
}

// The fields of a record; a number is what was written.
std::vector<std::string> fields_of(const json_value& record)
{
    std::vector<std::string> fields;
    for (const json_value& field : record)
        fields.push_back(
            field.is_string() ? field.get<std::string>() : to_json_text(field)
        );
    return fields;
}

using table = std::vector<std::vector<std::string>>;

table table_of(const reading& read)
{
    table records;
    for (const element& each : read.records)
        records.push_back(fields_of(each.to_json()));
    return records;
}

// What is written is what is read again.
void try_round_trip(const table& records, char separator)
{
    std::string file;
    for (const auto& fields : records)
        file += line_of(fields, separator) + '\n';
    csv_options plain;
    plain.header = false;
    plain.separator = separator;
    csv_parser parser(plain);
    const reading again = read_all(parser, file, 0);
    require(again.error.empty(), "what is written can be read");
    require(table_of(again) == records, "what is written is read as it was");
}

}  // namespace

void try_input(std::string_view input)
{
    const unsigned flags = take_byte(input);
    const std::size_t size = take_byte(input);
    const csv_options options = options_of(flags);
    const auto read = [&](std::size_t piece) {
        csv_parser parser(options);
        if ((flags & keeping_refused) != 0)
            parser.keep_refused();
        const reading first = read_all(parser, input, piece);
        if (first.error.empty())
            require(
                read_all(parser, input, piece) == first,
                "a file leaves nothing behind"
            );
        return first;
    };

    const reading whole = read(0);
    require(read(size) == whole, "how a file comes in pieces makes no difference");
    csv_options texts = options;
    texts.numbers = false;
    csv_parser parser(texts);
    if ((flags & keeping_refused) != 0)
        parser.keep_refused();
    const table records = table_of(read_all(parser, input, 0));
    require(table_of(whole) == records, "numbers are written as they are read");
    try_round_trip(records, options.separator.front());
}

}  // namespace sluice::fuzz
