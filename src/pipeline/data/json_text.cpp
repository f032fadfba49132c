// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/data/json_text.hpp"

#include "pipeline/words.hpp"
#include "text/number.hpp"
#include "text/utf8.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <stdexcept>

namespace sluice::pipeline {

namespace {

bool is_blank(char c) noexcept
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void skip_blanks(std::string_view& rest) noexcept
{
    while (!rest.empty() && is_blank(rest.front()))
        rest.remove_prefix(1);
}

bool skip(char expected, std::string_view& rest) noexcept
{
    if (rest.empty() || rest.front() != expected)
        return false;
    rest.remove_prefix(1);
    return true;
}

// What a string has as it is, for a table: everything but quote, backslash and control characters.
constexpr std::array<bool, 256> ends_run = [] {
    std::array<bool, 256> ends{};
    std::fill(ends.begin(), ends.begin() + ' ', true);
    ends['"'] = true;
    ends['\\'] = true;
    return ends;
}();

std::size_t run_of_string(std::string_view rest) noexcept
{
    std::size_t size = 0;
    while (size < rest.size() && !ends_run[static_cast<unsigned char>(rest[size])])
        ++size;
    return size;
}

// Tells of a text from its beginning whether it is usual JSON.
class checker
{
public:
    explicit checker(std::string_view text) noexcept : rest_(text) {}

    bool all() noexcept
    {
        skip_blanks(rest_);
        if (!value(0))
            return false;
        skip_blanks(rest_);
        return rest_.empty();
    }

private:
    static constexpr std::size_t deepest = 32;
    static constexpr std::size_t most_members = 64;

    bool value(std::size_t depth) noexcept
    {
        if (rest_.empty())
            return false;
        switch (rest_.front()) {
        case '{':
            return depth < deepest && object(depth + 1);
        case '[':
            return depth < deepest && array(depth + 1);
        case '"':
            return string();
        case 't':
            return word("true");
        case 'f':
            return word("false");
        case 'n':
            return word("null");
        default:
            return number();
        }
    }

    bool object(std::size_t depth) noexcept
    {
        rest_.remove_prefix(1);
        skip_blanks(rest_);
        if (skip('}', rest_))
            return true;
        std::array<std::string_view, most_members> names;
        std::size_t count = 0;
        while (true) {
            const std::string_view before = rest_;
            if (!string())
                return false;
            const auto name = before.substr(0, before.size() - rest_.size());
            const std::span known(names.data(), count);
            if (count == names.size() || name.find('\\') != name.npos ||
                std::ranges::find(known, name) != known.end())
                return false;
            names[count++] = name;
            skip_blanks(rest_);
            if (!skip(':', rest_))
                return false;
            skip_blanks(rest_);
            if (!value(depth))
                return false;
            skip_blanks(rest_);
            if (skip('}', rest_))
                return true;
            if (!skip(',', rest_))
                return false;
            skip_blanks(rest_);
        }
    }

    bool array(std::size_t depth) noexcept
    {
        rest_.remove_prefix(1);
        skip_blanks(rest_);
        if (skip(']', rest_))
            return true;
        while (true) {
            if (!value(depth))
                return false;
            skip_blanks(rest_);
            if (skip(']', rest_))
                return true;
            if (!skip(',', rest_))
                return false;
            skip_blanks(rest_);
        }
    }

    // Escapes of code points come in pairs at times; the parser knows.
    bool string() noexcept
    {
        if (!skip('"', rest_))
            return false;
        while (true) {
            rest_.remove_prefix(run_of_string(rest_));
            if (rest_.empty() || static_cast<unsigned char>(rest_.front()) < ' ')
                return false;
            if (skip('"', rest_))
                return true;
            constexpr std::string_view escapes = "\"\\/bfnrt";
            if (rest_.size() < 2 || escapes.find(rest_[1]) == escapes.npos)
                return false;
            rest_.remove_prefix(2);
        }
    }

    bool word(std::string_view expected) noexcept
    {
        if (!rest_.starts_with(expected))
            return false;
        rest_.remove_prefix(expected.size());
        return true;
    }

    bool digits(std::size_t most) noexcept
    {
        std::size_t count = 0;
        while (count < rest_.size() && text::is_digit(rest_[count]))
            ++count;
        rest_.remove_prefix(count);
        return count > 0 && count <= most;
    }

    // Within the range of double: fewer digits than it has zeros.
    bool number() noexcept
    {
        constexpr std::size_t many_digits = 200;
        constexpr std::size_t digits_of_exponent = 2;
        skip('-', rest_);
        const bool is_zero = rest_.starts_with('0');
        const std::size_t before = rest_.size();
        if (!digits(many_digits) || (is_zero && before - rest_.size() > 1))
            return false;
        if (skip('.', rest_) && !digits(many_digits))
            return false;
        if (!rest_.starts_with('e') && !rest_.starts_with('E'))
            return true;
        rest_.remove_prefix(1);
        if (!skip('+', rest_))
            skip('-', rest_);
        return digits(digits_of_exponent);
    }

    std::string_view rest_;
};

// The string at the beginning, with its quotes.
std::string_view first_string(std::string_view text) noexcept
{
    std::size_t at = 1;
    while (text[at] != '"')
        at += text[at] == '\\' ? 2U : 1U;
    return text.substr(0, at + 1);
}

// Behind what is open at the beginning.
std::string_view first_nested(std::string_view text) noexcept
{
    std::size_t depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"')
            at += first_string(text.substr(at)).size() - 1;
        else if (c == '{' || c == '[')
            ++depth;
        else if ((c == '}' || c == ']') && --depth == 0)
            return text.substr(0, at + 1);
    }
    return text;
}

// What stands in the quotes of a string.
void append_escaped(std::string_view text, std::string& out)
{
    constexpr std::string_view hex = "0123456789abcdef";
    while (true) {
        const std::size_t run = run_of_string(text);
        out += text.substr(0, run);
        text.remove_prefix(run);
        if (text.empty())
            break;
        const char c = text.front();
        text.remove_prefix(1);
        constexpr std::string_view short_ones = "\"\\\b\f\n\r\t";
        constexpr std::string_view letters = "\"\\bfnrt";
        out += '\\';
        if (const auto at = short_ones.find(c); at != short_ones.npos) {
            out += letters[at];
        } else {
            const std::size_t code = static_cast<unsigned char>(c);
            out += "u00";
            out += hex[code / 16];
            out += hex[code % 16];
        }
    }
}

// In quotes, with the escapes of JSON, and such as \xe4 for what is not UTF-8.
void append_shown(std::string_view text, std::string& out)
{
    out += '"';
    while (true) {
        const std::string_view valid = text::valid_beginning(text);
        append_escaped(valid, out);
        text.remove_prefix(valid.size());
        if (text.empty())
            break;
        text::append_byte(text.front(), out);
        text.remove_prefix(1);
    }
    out += '"';
}

}  // namespace

bool is_usual_json(std::string_view text) noexcept
{
    return checker(text).all() && text::is_utf8(text);
}

std::string_view first_json_value(std::string_view text) noexcept
{
    skip_blanks(text);
    if (text.empty())
        return text;
    if (text.front() == '"')
        return first_string(text);
    if (text.front() == '{' || text.front() == '[')
        return first_nested(text);
    return text.substr(0, text.find_first_of(",]} \t\r\n"));
}

std::optional<json_member_text> take_json_member(std::string_view& rest) noexcept
{
    skip_blanks(rest);
    if (!skip('{', rest) && !skip(',', rest))
        return std::nullopt;
    skip_blanks(rest);
    if (!rest.starts_with('"'))
        return std::nullopt;
    const std::string_view name = first_string(rest);
    rest.remove_prefix(name.size());
    skip_blanks(rest);
    rest.remove_prefix(1);  // the colon
    skip_blanks(rest);
    const std::string_view value = first_json_value(rest);
    rest.remove_prefix(value.size());
    return json_member_text{name, value};
}

std::optional<std::string_view> take_json_item(std::string_view& rest) noexcept
{
    skip_blanks(rest);
    if (!skip('[', rest) && !skip(',', rest))
        return std::nullopt;
    skip_blanks(rest);
    if (rest.starts_with(']'))
        return std::nullopt;
    const std::string_view value = first_json_value(rest);
    rest.remove_prefix(value.size());
    return value;
}

std::string_view json_string(std::string_view quoted, std::string& scratch)
{
    const std::string_view content = quoted.substr(1, quoted.size() - 2);
    if (content.find('\\') == content.npos)
        return content;
    scratch = json_value::parse(quoted).get<std::string>();
    return scratch;
}

bool is_plain_text(std::string_view text) noexcept
{
    constexpr static std::array<bool, 256> is_special = [] {
        auto special = ends_run;
        std::fill(special.begin() + '\x7f', special.end(), true);
        return special;
    }();
    return std::ranges::none_of(text, [](char c) {
        return is_special[static_cast<unsigned char>(c)];
    });
}

void append_json_string(std::string_view text, std::string& out)
{
    out += '"';
    append_escaped(text, out);
    out += '"';
}

void append_json_string(std::string_view text, std::string& out, invalid_utf8 rule)
{
    if (is_plain_text(text)) {
        out.append(text.size() + 2, '"');
        text.copy(out.data() + out.size() - text.size() - 1, text.size());
        return;
    }
    if (text::is_utf8(text))
        return append_json_string(text, out);
    if (rule == invalid_utf8::show)
        return append_shown(text, out);
    if (rule == invalid_utf8::refuse)
        throw std::runtime_error(
            fmt::format("the text {} is not UTF-8", detail::in_quotes(text))
        );
    using nlohmann::json;
    out += json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace sluice::pipeline
