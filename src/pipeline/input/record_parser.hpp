// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/by_element.hpp"
#include "pipeline/data/record_builder.hpp"
#include <sluice/pipeline/element.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

// Finds the records in the content of files, which comes in pieces. Each worker has one of its own;
// it reads one file after the other.
class record_parser
{
public:
    record_parser() = default;
    record_parser(const record_parser&) = delete;
    record_parser& operator=(const record_parser&) = delete;
    virtual ~record_parser() = default;

    // The next file begins; its name is for messages.
    void begin(const std::string& name);

    // Appends the elements of all records that end in this piece. Their fields refer to it.
    void parse(std::string_view piece, std::vector<element>& out);

    // The file has ended; appends what ends with it.
    void end(std::vector<element>& out);

    // The file is left here, because of what is wrong with it.
    void drop_rest(const std::string& reason);

    // From now on a record of more bytes is wrong.
    void limit_records(std::uint64_t bytes) noexcept { longest_record_ = bytes; }

    // From now on a record that is wrong is no error, but left out and kept.
    void keep_refused() noexcept { keeps_refused_ = true; }

    // Those since the last call.
    [[nodiscard]] std::vector<refused_element> take_refused();

protected:
    // What is left of the piece, and whether the file ends behind it.
    struct rest_of_piece
    {
        const std::shared_ptr<std::string>& buffer;
        std::size_t begin;
        std::size_t searched;  // bytes of it in which the end of the record was not found
        bool is_last;

        [[nodiscard]] std::string_view text() const
        {
            return std::string_view(*buffer).substr(begin);
        }
    };

    // Takes the first record from the beginning of `rest`, and appends its element if it has one.
    // Gives how many bytes that were; 0: its end has not come yet. It may change these bytes.
    // Called with at least one byte, and again with more for a record that has not ended.
    [[nodiscard]] virtual std::size_t take_record(
        const rest_of_piece& rest,
        std::vector<element>& out
    ) = 0;

    // What a file is begun with.
    virtual void begin_file() {}

    // Where the next line ends; npos if its end has not come. A newline behind a carriage return
    // that ends one belongs to that.
    [[nodiscard]] virtual std::size_t end_of_line(
        std::string_view text,
        std::size_t searched
    ) const
    {
        return text.find('\n', searched);
    }

    // What is wrong with a record whose end the file has not.
    [[nodiscard]] virtual std::string reason_for_no_end() const { return {}; }

    // Whether the next record cannot be left out.
    [[nodiscard]] virtual bool is_vital() const { return false; }

    // The line of the next byte, from 1.
    [[nodiscard]] std::uint64_t line() const noexcept { return line_; }
    void add_lines(std::uint64_t count) noexcept { line_ += count; }

    // Leaves a record out that is wrong, and begins at that line; or throws the reason.
    void refuse(std::string_view record, std::uint64_t line, std::string_view reason);

    // What is wrong with the file, so that nothing of it can be read.
    [[noreturn]] void fail(std::uint64_t line, std::string_view reason) const;

    // Refuses the first line of the record if that has too many bytes.
    [[nodiscard]] bool is_too_long(std::string_view record, std::uint64_t line);

    [[nodiscard]] const std::shared_ptr<const std::string>& file() const noexcept
    {
        return file_;
    }

private:
    void parse_buffer(std::vector<element>& out, bool is_last);
    void take(std::size_t bytes);
    [[nodiscard]] std::string_view left() const;
    [[nodiscard]] std::string too_long() const;
    [[nodiscard]] std::string_view beginning_of(std::string_view line) const;
    [[nodiscard]] bool refuse_first_line(std::string_view reason);
    [[nodiscard]] bool skip_line();

    std::shared_ptr<const std::string> file_;  // its name
    std::uint64_t line_ = 1;
    std::shared_ptr<std::string> buffer_;  // what is looked at
    std::size_t begin_ = 0;                // of what is left of it
    std::size_t searched_ = 0;             // see rest_of_piece
    bool after_return_ = false;            // that ended what was taken last
    bool is_skipping_ = false;             // up to the end of the line
    std::uint64_t longest_record_ = UINT64_MAX;
    bool keeps_refused_ = false;
    std::vector<refused_element> refused_;
};

// The length of the first line without its end, and with it. An end is a newline, or a carriage
// return and a newline.
struct line_length
{
    std::size_t content = 0;
    std::size_t all = 0;  // 0: the end has not come
};

// @param searched  bytes at its beginning that have no newline.
[[nodiscard]] line_length first_line(
    std::string_view text,
    std::size_t searched,
    bool is_last
) noexcept;

// For files with a record on each line: a text, or a JSON value, which stays as it was written.
// Empty lines are no JSON values, and left out.
class line_parser final : public record_parser
{
public:
    explicit line_parser(field_form lines) : lines_(lines) {}

private:
    void begin_file() override { builder_.from(file()); }

    [[nodiscard]] std::size_t take_record(
        const rest_of_piece& rest,
        std::vector<element>& out
    ) override;

    // Appends the element of a line of this buffer, if it has one.
    void add_line(
        std::string_view line,
        const detail::text_buffer& buffer,
        std::vector<element>& out
    );

    // What of a line is JSON; empty if nothing is, or if it is refused.
    [[nodiscard]] std::string_view json_in(std::string_view line);

    const field_form lines_;
    detail::record_builder builder_;
};

}  // namespace sluice::pipeline
