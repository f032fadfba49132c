// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

// What may stand between fields: one character of ASCII, but no quote and no end of line.
// Throws option_error with the name "separator" if this is something else.
[[nodiscard]] char checked_separator(const std::string& separator);

// Finds the fields of a record of CSV (RFC 4180) in a text, of which it keeps nothing.
class csv_fields
{
public:
    // Throws option_error as checked_separator().
    explicit csv_fields(const std::string& separator)
        : separator_(checked_separator(separator))
    {
    }

    // The next call of find() is about another record.
    void begin() noexcept { is_begun_ = false; }

    // The length of the record at the beginning of the text, with its end; 0: the end has not come.
    // Called with more of the same record it goes on where it has ended, so that a long one that
    // comes in many pieces is looked at once.
    [[nodiscard]] std::size_t find(std::string_view text, bool is_last);

    // What is wrong with the record up to the length that was found; null if nothing is.
    [[nodiscard]] const char* wrong() const noexcept { return wrong_; }

    // Whether the end was looked for in quotes.
    [[nodiscard]] bool is_open() const noexcept { return is_open_; }

    // The newlines in its quotes.
    [[nodiscard]] std::uint64_t lines() const noexcept { return lines_; }

    [[nodiscard]] std::size_t size() const noexcept { return fields_.size(); }

    // Of two quotes in a field, which stand for one, one is left. The text stays as long.
    void resolve_quotes(char* text);

    // A field. @pre resolve_quotes(), of which this is the text
    [[nodiscard]] std::string_view at(std::size_t index, std::string_view text) const
    {
        const found_field& its = fields_[index];
        return {text.data() + its.begin, its.size};
    }

private:
    // Between its quotes if it has some.
    struct found_field
    {
        std::size_t begin;
        std::size_t size;
        bool has_quotes;  // in it, each written twice
    };

    // The field whose end is looked for.
    struct open_field
    {
        std::size_t begin = 0;
        std::size_t searched =
            0;  // where the search goes on, if that is behind the beginning
        bool has_quotes = false;
    };

    [[nodiscard]] std::size_t end_of_plain(std::string_view text);
    [[nodiscard]] std::size_t end_of_quoted(std::string_view text, bool is_last);
    void add_quoted(std::string_view text, std::size_t end);

    [[nodiscard]] bool ends_field(char c) const noexcept
    {
        return c == separator_ || c == '\n' || c == '\r';
    }

    const char separator_;
    std::vector<found_field> fields_;
    bool has_quotes_ = false;  // in a field that is not resolved
    open_field field_;
    bool is_begun_ = false;
    bool is_open_ = false;
    const char* wrong_ = nullptr;
    std::uint64_t lines_ = 0;
};

}  // namespace sluice::pipeline
