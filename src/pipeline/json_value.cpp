// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/json_value.hpp>

#include "pipeline/data/json_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <utility>

namespace sluice::pipeline {

namespace {

std::string_view text_of(const json_value::binary_t& number)
{
    return {reinterpret_cast<const char*>(number.data()), number.size()};
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
        append_json_string(name, out, rule);
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
        return append_json_string(value.get_ref<const std::string&>(), out, rule);
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
