// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/parse_json.hpp"

#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace sluice::pipeline {

namespace {

// Values are printed by functions that call themselves for each level.
constexpr std::size_t deepest = 500;

// How deep arrays and objects are nested in a JSON text.
std::size_t depth_of(std::string_view text)
{
    std::size_t depth = 0;
    std::size_t greatest = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"')
            in_string = !in_string;
        else if (in_string)
            i += c == '\\' ? 1 : 0;
        else if (c == '[' || c == '{')
            greatest = std::max(greatest, ++depth);
        else if ((c == ']' || c == '}') && depth > 0)
            --depth;
    }
    return greatest;
}

// What the JSON library says, without the number of its error and of the only line.
std::string_view reason(const json_value::parse_error& error)
{
    const std::string_view text = error.what();
    const auto place = text.find("column ");
    return place == text.npos ? text : text.substr(place);
}

[[noreturn]] void fail(const std::string& what)
{
    throw std::runtime_error(what);
}

}  // namespace

json_value parse_json(std::string_view text)
{
    // The JSON library takes it for the end of the text.
    if (const auto nul = text.find('\0'); nul != std::string_view::npos)
        fail(fmt::format("no JSON: column {}: a NUL byte", nul + 1));
    if (depth_of(text) > deepest)
        fail(fmt::format("nested deeper than {} levels", deepest));
    try {
        return json_value::parse(text);
    } catch (const json_value::parse_error& error) {
        fail(fmt::format("no JSON: {}", reason(error)));
    } catch (const json_value::out_of_range&) {
        fail("a number is beyond the range of floating point");
    }
}

json_value number_or_text(std::string text)
{
    const bool may_be = !text.empty() &&
                        (text::is_digit(text.front()) || text.front() == '-');
    if (!may_be || !text::is_digit(text.back()))
        return text;
    json_value number = json_value::parse(text, nullptr, false);
    const bool is_whole = text.find_first_of(".eE") == std::string::npos;
    // A whole number that is too large to be one exactly stays a text, as it may be a key.
    if (!number.is_number() || (is_whole && !number.is_number_integer()))
        return text;
    return number;
}

}  // namespace sluice::pipeline
