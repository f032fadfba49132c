// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "report/json_writer.hpp"

#include "report/valid_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace sluice::report {

namespace {

void append_escaped(std::string& text, std::string_view raw)
{
    constexpr std::string_view digits = "0123456789abcdef";
    for (const char c : raw) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            text += {'\\', c};
        else if (c == '\n')
            text += "\\n";
        else if (byte < 0x20)
            text += {'\\', 'u', '0', '0', digits[byte >> 4U], digits[byte & 15U]};
        else
            text += c;
    }
}

}  // namespace

void json_writer::separate()
{
    if (!is_first_)
        text_ += ',';
    is_first_ = false;
}

json_writer& json_writer::open(char bracket)
{
    separate();
    text_ += bracket;
    is_first_ = true;
    return *this;
}

json_writer& json_writer::close(char bracket)
{
    text_ += bracket;
    is_first_ = false;
    return *this;
}

json_writer& json_writer::add(std::string_view value)
{
    separate();
    text_ += value;
    return *this;
}

json_writer& json_writer::key(std::string_view name)
{
    separate();
    text_ += '"';
    text_ += name;
    text_ += "\":";
    is_first_ = true;
    return *this;
}

json_writer& json_writer::value(std::string_view text)
{
    separate();
    text_ += '"';
    append_escaped(text_, valid_text(text));
    text_ += '"';
    return *this;
}

json_writer& json_writer::value(bool truth)
{
    return add(truth ? "true" : "false");
}

json_writer& json_writer::value(double number)
{
    if (!std::isfinite(number))
        return null();
    std::array<char, 32> digits{};  // the shortest form of a double has at most 24
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    return add(std::string_view(digits.data(), end));
}

json_writer& json_writer::value(std::chrono::nanoseconds duration)
{
    return value(std::chrono::duration<double>(duration).count());
}

json_writer& json_writer::null()
{
    return add("null");
}

json_writer& json_writer::name(std::string_view member_name, std::string_view text)
{
    key(member_name);
    return text.empty() ? null() : value(text);
}

}  // namespace sluice::report
