// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/json_value.hpp>

#include "pipeline/words.hpp"
#include "text/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace sluice::pipeline {

namespace {

std::string_view text_of(const json_value::binary_t& number)
{
    return {reinterpret_cast<const char*>(number.data()), number.size()};
}

// Whether JSON has it in a string as it is.
bool is_plain(char c)
{
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

// In quotes, with the escapes of JSON, and such as \xe4 for what is not UTF-8.
void append_shown(std::string_view text, std::string& out)
{
    out += '"';
    while (true) {
        const std::string_view valid = text::valid_beginning(text);
        const std::string quoted = nlohmann::json(valid).dump();
        out.append(quoted, 1, quoted.size() - 2);
        text.remove_prefix(valid.size());
        if (text.empty())
            break;
        text::append_byte(text.front(), out);
        text.remove_prefix(1);
    }
    out += '"';
}

void append_string(const std::string& text, std::string& out, invalid_utf8 rule)
{
    if (std::ranges::all_of(text, is_plain)) {
        out += '"';
        out += text;
        out += '"';
        return;
    }
    using nlohmann::json;
    if (rule == invalid_utf8::show)
        return append_shown(text, out);
    const auto handler = rule == invalid_utf8::replace ? json::error_handler_t::replace
                                                       : json::error_handler_t::strict;
    try {
        out += json(text).dump(-1, ' ', false, handler);
    } catch (const json::type_error&) {
        throw std::runtime_error(
            fmt::format("the text {} is not UTF-8", detail::in_quotes(text))
        );
    }
}

// JSON has nothing for what is infinite or no number.
void append_double(double number, std::string& out)
{
    if (std::isfinite(number))
        fmt::format_to(std::back_inserter(out), "{}", number);
    else
        out += "null";
}

void append_object(const json_value& object, std::string& out, invalid_utf8 rule)
{
    out += '{';
    const char* separator = "";
    for (const auto& [name, member] : object.get_ref<const json_value::object_t&>()) {
        out += std::exchange(separator, ",");
        append_string(name, out, rule);
        out += ':';
        append_json(member, out, rule);
    }
    out += '}';
}

void append_array(const json_value& array, std::string& out, invalid_utf8 rule)
{
    out += '[';
    const char* separator = "";
    for (const json_value& item : array) {
        out += std::exchange(separator, ",");
        append_json(item, out, rule);
    }
    out += ']';
}

}  // namespace

json_value written_number(std::string_view text)
{
    return json_value::binary({text.begin(), text.end()});
}

bool is_number(const json_value& value) noexcept
{
    return value.is_number() || value.is_binary();
}

double to_double(const json_value& value)
{
    if (!value.is_binary())
        return value.get<double>();
    const std::string_view text = text_of(value.get_binary());
    if (text == "-0")  // a whole number to the parser, which has no sign then
        return -0.0;
    return nlohmann::json::parse(text).get<double>();
}

void append_json(const json_value& value, std::string& out, invalid_utf8 rule)
{
    switch (value.type()) {
    case json_value::value_t::object:
        return append_object(value, out, rule);
    case json_value::value_t::array:
        return append_array(value, out, rule);
    case json_value::value_t::string:
        return append_string(value.get_ref<const std::string&>(), out, rule);
    case json_value::value_t::binary:
        out += text_of(value.get_binary());
        return;
    case json_value::value_t::number_float:
        return append_double(value.get<double>(), out);
    default:
        out += value.dump();
    }
}

std::string to_json_text(const json_value& value, invalid_utf8 rule)
{
    std::string text;
    append_json(value, text, rule);
    return text;
}

}  // namespace sluice::pipeline
