// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/document.hpp"
#include "pipeline/words.hpp"
#include "text/number.hpp"
#include "text/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <unordered_set>
#include <utility>

namespace sluice::pipeline::detail {

namespace {

using nlohmann::json;

// Tells line and column of the byte read last, both from 1; columns are characters.
class text_position
{
public:
    void read(char byte) noexcept
    {
        if (line_has_ended_) {
            ++line_;
            column_ = 0;
        }
        line_has_ended_ = byte == '\n';
        column_ += text::begins_character(byte) ? 1U : 0U;
    }

    [[nodiscard]] std::size_t line() const noexcept { return line_; }
    [[nodiscard]] std::size_t column() const noexcept { return column_; }

private:
    std::size_t line_ = 1;
    std::size_t column_ = 0;
    bool line_has_ended_ = false;  // the newline itself still belongs to its line
};

// The message of the parser without its place, and without the text it read, which may be
// long.
std::string without_place_and_token(std::string_view message)
{
    const std::size_t place = message.find(": ");
    if (place != std::string_view::npos)
        message.remove_prefix(place + 2);
    const std::size_t token = std::min(message.find("; last read: '"), message.size());
    const std::size_t rest = message.rfind("'; expected ");
    const bool has_rest = rest != std::string_view::npos && rest > token;
    return fmt::format(
        "{}{}",
        message.substr(0, token),
        has_rest ? message.substr(rest + 1) : ""
    );
}

// Builds the document out of what the parser reports.
class document_builder : public nlohmann::json_sax<json>
{
public:
    document_builder(std::string_view text, std::vector<problem>& problems)
        : text_(text), stream_(std::string(text)), problems_(problems)
    {
    }

    [[nodiscard]] std::optional<document_node> build()
    {
        // The parser would take it for the end of the text.
        if (const std::size_t zero = text_.find('\0'); zero != std::string_view::npos) {
            move_to(zero + 1);
            note(fmt::format("a byte 0 in column {}", position_.column()), "JSON");
            return std::nullopt;
        }
        if (!json::sax_parse(stream_, this))
            return std::nullopt;
        return std::move(root_);
    }

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(std::int64_t value) override { return add(value); }
    bool number_unsigned(std::uint64_t value) override { return add(value); }
    bool number_float(double value, const std::string&) override { return add(value); }
    bool string(std::string& value) override { return add(std::move(value)); }
    bool binary(json::binary_t&) override { return false; }  // not in JSON texts

    bool start_object(std::size_t) override { return open(json::object()); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(std::string& name) override
    {
        follow_parser();
        container& object = open_.back();
        object.node->members.push_back({.line = position_.line(), .name = name});
        const bool is_new = object.names.insert(std::move(name)).second;
        if (!is_new && problems_.size() < most_problems)
            note(
                in_quotes(object.node->members.back().name) + " a second time",
                "each name once in an object",
                "remove one of the two"
            );
        return true;
    }

    bool parse_error(
        std::size_t read,
        const std::string& token,
        const json::exception& error
    ) override
    {
        constexpr int number_overflow = 406;
        position_ = text_position();  // the parser may have read one byte more
        passed_ = 0;
        move_to(read);
        const std::string found =
            fmt::format("{} in column {}", in_quotes(token), position_.column());
        if (error.id == number_overflow)
            note(found, "a number of at most 1.797e308");
        else
            note(
                read > text_.size() ? "the end of the text" : found,
                "JSON",
                without_place_and_token(error.what())
            );
        return false;
    }

private:
    struct container
    {
        document_node* node;
        std::unordered_set<std::string> names;
    };

    // Moves to where the parser has read to, which only the stream knows.
    void follow_parser()
    {
        move_to(text_.size() - static_cast<std::size_t>(stream_.rdbuf()->in_avail()));
    }

    void move_to(std::size_t count)
    {
        for (; passed_ < std::min(count, text_.size()); ++passed_)
            position_.read(text_[passed_]);
    }

    void note(std::string found, std::string expected, std::string hint = {})
    {
        problems_.push_back(
            {.line = position_.line(),
             .pointer = path(),
             .found = std::move(found),
             .expected = std::move(expected),
             .hint = std::move(hint)}
        );
    }

    // The member that was begun last; the document itself at first.
    document_node& current()
    {
        return open_.empty() ? root_ : open_.back().node->members.back();
    }

    bool add(json value)
    {
        follow_parser();
        if (!open_.empty() && open_.back().node->value.is_array())
            open_.back().node->members.emplace_back();
        document_node& node = current();
        node.line = position_.line();
        node.value = std::move(value);
        return true;
    }

    bool open(json empty)
    {
        if (open_.size() == deepest_nesting) {
            follow_parser();
            note(
                fmt::format("an array or object inside of {} others", deepest_nesting),
                fmt::format("at most {} levels", deepest_nesting)
            );
            return false;
        }
        add(std::move(empty));
        open_.push_back({&current(), {}});
        return true;
    }

    bool close()
    {
        open_.pop_back();
        return true;
    }

    // The pointer of the member that is read.
    [[nodiscard]] std::string path() const
    {
        std::string pointer;
        for (const container& each : open_) {
            const std::vector<document_node>& members = each.node->members;
            if (members.empty())
                break;
            pointer += each.node->value.is_object()
                           ? pointer_step(members.back().name)
                           : fmt::format("/{}", members.size() - 1);
        }
        return pointer;
    }

    std::string_view text_;
    std::istringstream stream_;
    std::vector<problem>& problems_;
    text_position position_;
    std::size_t passed_ = 0;  // bytes that position_ has counted
    document_node root_;
    std::vector<container> open_;  // from the outermost
};

}  // namespace

std::optional<document_node> parse_document(
    std::string_view text,
    std::vector<problem>& problems
)
{
    return document_builder(text, problems).build();
}

}  // namespace sluice::pipeline::detail
