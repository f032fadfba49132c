// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/record_parser.hpp"

#include "pipeline/data/json_text.hpp"
#include "text/number.hpp"
#include "text/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sluice::pipeline {

namespace {

constexpr std::size_t most_shown = 1000;  // bytes of a record that is too long

}  // namespace

line_length first_line(std::string_view text, std::size_t searched, bool is_last) noexcept
{
    const auto end = text.find('\n', searched);
    if (end == text.npos)
        return is_last ? line_length{text.size(), text.size()} : line_length();
    const bool has_return = end > 0 && text[end - 1] == '\r';
    return {has_return ? end - 1 : end, end + 1};
}

void record_parser::begin(const std::string& name)
{
    file_ = std::make_shared<const std::string>(name);
    line_ = 1;
    buffer_ = nullptr;
    begin_ = 0;
    searched_ = 0;
    after_return_ = false;
    is_skipping_ = false;
    begin_file();
}

// Elements refer to the buffer, so it stays where it is: what is left of it is copied into the next
// one. A record that does not end in one piece gets room for as much again, so that each byte is
// copied a few times only, however long the record is.
void record_parser::parse(std::string_view piece, std::vector<element>& out)
{
    if (piece.empty())
        return;
    const bool may_grow = buffer_ != nullptr && begin_ == 0 &&
                          buffer_->capacity() - buffer_->size() >= piece.size();
    if (may_grow) {
        buffer_->append(piece
        );  // no element refers to it, because nothing was taken from it
    } else {
        const std::size_t room = left().size() >= piece.size() ? left().size() : 0;
        auto next = std::make_shared<std::string>();
        next->reserve(left().size() + piece.size() + room);
        next->append(left()).append(piece);
        buffer_ = std::move(next);
        begin_ = 0;
    }
    parse_buffer(out, false);
}

void record_parser::end(std::vector<element>& out)
{
    if (buffer_ != nullptr)
        parse_buffer(out, true);
    buffer_ = nullptr;
    begin_ = 0;
}

void record_parser::drop_rest(const std::string& reason)
{
    refuse(left().substr(0, most_shown), line_, reason);
    buffer_ = nullptr;
    begin_ = 0;
}

std::vector<refused_element> record_parser::take_refused()
{
    return std::exchange(refused_, {});
}

void record_parser::parse_buffer(std::vector<element>& out, bool is_last)
{
    while (begin_ < buffer_->size()) {
        if (std::exchange(after_return_, false) && (*buffer_)[begin_] == '\n') {
            ++begin_;
            continue;
        }
        if (is_skipping_) {
            if (!skip_line())
                break;
            continue;
        }
        const std::size_t taken = take_record({buffer_, begin_, searched_, is_last}, out);
        take(taken);
        searched_ = taken > 0 ? 0 : buffer_->size() - begin_;
        if (taken > 0)
            continue;
        // a carriage return may belong to the end
        const std::size_t pending = buffer_->size() - begin_ -
                                    (buffer_->ends_with('\r') ? 1 : 0);
        const bool is_beyond = pending > longest_record_;
        if (!is_last && !is_beyond)
            break;
        if (!refuse_first_line(is_beyond ? too_long() : reason_for_no_end()))
            break;
    }
}

void record_parser::take(std::size_t bytes)
{
    begin_ += bytes;
    after_return_ = bytes > 0 && (*buffer_)[begin_ - 1] == '\r';
}

// What of the buffer is no part of a record yet.
std::string_view record_parser::left() const
{
    return buffer_ != nullptr ? std::string_view(*buffer_).substr(begin_)
                              : std::string_view();
}

std::string record_parser::too_long() const
{
    return fmt::format(
        "it goes on for more than {}, which \"longest_record\" of the source can raise",
        text::byte_size_text(longest_record_)
    );
}

// The line in which the record begins is left out, and what follows is read. False if the line has
// no end yet.
bool record_parser::refuse_first_line(std::string_view reason)
{
    refuse(beginning_of(left().substr(0, end_of_line(left(), 0))), line_, reason);
    is_skipping_ = true;
    searched_ = 0;
    return skip_line();
}

bool record_parser::skip_line()
{
    const std::size_t end = end_of_line(left(), 0);
    if (end == std::string_view::npos) {
        begin_ = buffer_->size();
        return false;
    }
    take(end + 1);
    ++line_;
    is_skipping_ = false;
    return true;
}

void record_parser::refuse(
    std::string_view record,
    std::uint64_t line,
    std::string_view reason
)
{
    std::string message = fmt::format("{}, line {}: {}", *file_, line, reason);
    if (!keeps_refused_ || is_vital())
        throw std::runtime_error(message);
    refused_.push_back({element(record), std::move(message)});
}

void record_parser::fail(std::uint64_t line, std::string_view reason) const
{
    throw std::runtime_error(fmt::format("{}, line {}: {}", *file_, line, reason));
}

bool record_parser::is_too_long(std::string_view record, std::uint64_t line)
{
    if (record.size() <= longest_record_)
        return false;
    refuse(beginning_of(record.substr(0, end_of_line(record, 0))), line, too_long());
    return true;
}

// What has come of it when it is known to be too long, however it came.
std::string_view record_parser::beginning_of(std::string_view line) const
{
    const auto most = std::min<std::uint64_t>(longest_record_, most_shown);
    return line.substr(0, static_cast<std::size_t>(most));
}

std::size_t line_parser::take_record(const rest_of_piece& rest, std::vector<element>& out)
{
    const std::string_view text = rest.text();
    const auto [content, all] = first_line(text, rest.searched, rest.is_last);
    if (all == 0)
        return 0;
    const std::string_view line = text.substr(0, content);
    if (!is_too_long(line, this->line()))
        add_line(line, rest.buffer, out);
    add_lines(1);
    return all;
}

void line_parser::add_line(
    std::string_view line,
    const detail::text_buffer& buffer,
    std::vector<element>& out
)
{
    const std::string_view value = lines_ == field_form::json ? json_in(line) : line;
    if (lines_ == field_form::json && value.empty())
        return;
    builder_.keep(buffer);
    builder_.add({value, lines_});
    out.push_back(builder_.finish(this->line()));
}

std::string_view line_parser::json_in(std::string_view line)
{
    constexpr std::string_view blanks = " \t\r";
    // The parser takes one at the beginning of every text, and it would stay a part of the value.
    if (line.starts_with(text::byte_order_mark)) {
        if (this->line() > 1) {
            refuse(line, this->line(), "no JSON: a byte order mark inside of the file");
            return {};
        }
        line.remove_prefix(text::byte_order_mark.size());
    }
    const auto begin = line.find_first_not_of(blanks);
    if (begin == line.npos)
        return {};
    const std::string_view value =
        line.substr(begin, line.find_last_not_of(blanks) + 1 - begin);
    if (!is_usual_json(value)) {
        try {
            (void)parse_json(line);
        } catch (const std::runtime_error& error) {
            refuse(line, this->line(), error.what());
            return {};
        }
    }
    return value;
}

}  // namespace sluice::pipeline
