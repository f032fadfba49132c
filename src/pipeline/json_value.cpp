// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/json_value.hpp>

#include "pipeline/data/json_text.hpp"
#include "pipeline/words.hpp"
#include "text/number.hpp"
#include "text/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

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
        out += fmt::format("{}", number);
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
    return json_value::parse(text).get<double>();
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

namespace {

constexpr std::size_t deepest = 500;

// The number, if it would be written as it was, and so be kept with less memory.
json_value number_as_written(json_value number, std::string_view written)
{
    return to_json_text(number) == written ? number : written_number(written);
}

// Most numbers of data are these, for which the parser of JSON takes ten times as long.
std::optional<std::uint64_t> plain_number(std::string_view text)
{
    if (text.starts_with('0') && text.size() > 1)
        return std::nullopt;
    return text::whole_number<std::uint64_t>(text);
}

struct member
{
    std::string name;  // empty in an array
    json_value value;
};

// One of the names that come twice, or null. Sorted, because an object may have very many.
const std::string* repeated_member(std::span<const member> members)
{
    std::vector<const std::string*> names;
    names.reserve(members.size());
    for (const member& each : members)
        names.push_back(&each.name);
    const auto value = [](const std::string* name) -> const std::string& {
        return *name;
    };
    std::ranges::sort(names, {}, value);
    const auto found = std::ranges::adjacent_find(names, {}, value);
    return found != names.end() ? *found : nullptr;
}

// Builds a value from its leaves upwards. An object that grew member by member would copy them
// again and again: their names are constant, and so they cannot be moved.
class value_builder final : public nlohmann::json_sax<json_value>
{
public:
    [[nodiscard]] json_value result() && { return std::move(members_.front().value); }

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }

    // Called for negative numbers only, and so a zero has been -0.
    bool number_integer(std::int64_t value) override
    {
        return add(value == 0 ? written_number("-0") : json_value(value));
    }

    bool number_unsigned(std::uint64_t value) override { return add(value); }

    // Called for whole numbers beyond 64 bits, too.
    bool number_float(double value, const std::string& written) override
    {
        return add(number_as_written(value, written));
    }

    bool string(std::string& value) override { return add(std::move(value)); }
    bool binary(json_value::binary_t&) override { return false; }  // not in JSON texts

    bool start_object(std::size_t) override { return open(); }
    bool start_array(std::size_t) override { return open(); }

    bool key(std::string& name) override
    {
        name_ = std::move(name);
        return true;
    }

    bool end_object() override
    {
        const std::span<member> members = innermost();
        if (const std::string* const name = repeated_member(members))
            throw std::runtime_error(
                fmt::format("the name {} twice in one object", detail::in_quotes(*name))
            );
        json_value::object_t object;
        object.reserve(members.size());
        for (auto& [name, value] : members)
            object.emplace_back(std::move(name), std::move(value));
        return close(std::move(object));
    }

    bool end_array() override
    {
        json_value::array_t array;
        array.reserve(innermost().size());
        for (member& each : innermost())
            array.push_back(std::move(each.value));
        return close(std::move(array));
    }

    bool parse_error(std::size_t, const std::string&, const json_value::exception& error)
        override
    {
        constexpr int number_overflow = 406;
        if (error.id == number_overflow)
            throw std::runtime_error("a number is beyond the range of floating point");
        // Without the number of its error and of the only line.
        const std::string reason = detail::without_token(error.what());
        const auto place = reason.find("column ");
        throw std::runtime_error(
            "no JSON: " + reason.substr(place == reason.npos ? 0 : place)
        );
    }

private:
    // The members of the object or array that is open.
    std::span<member> innermost() { return std::span(members_).subspan(begins_.back()); }

    bool add(json_value value)
    {
        members_.push_back({std::exchange(name_, {}), std::move(value)});
        return true;
    }

    // What is opened stands as a member already, as it has a name there.
    bool open()
    {
        if (begins_.size() == deepest)
            throw std::runtime_error(fmt::format("nested deeper than {} levels", deepest)
            );
        begins_.push_back(members_.size() + 1);
        return add(nullptr);
    }

    bool close(json_value value)
    {
        members_.resize(begins_.back());
        begins_.pop_back();
        members_.back().value = std::move(value);
        return true;
    }

    std::vector<member> members_;  // complete ones of all that is open, outermost first
    std::vector<std::size_t> begins_;  // where those of each open object or array begin
    std::string name_;                 // of the member to come
};

}  // namespace

json_value parse_json(std::string_view text)
{
    if (text::begins_as_utf16(text))
        throw std::runtime_error(fmt::format("no JSON: {}", text::in_utf16));
    // The JSON library takes it for the end of the text.
    if (const auto nul = text.find('\0'); nul != text.npos)
        throw std::runtime_error(fmt::format("no JSON: column {}: a NUL byte", nul + 1));
    if (const auto number = plain_number(text))
        return *number;
    value_builder builder;
    (void)json_value::sax_parse(text, &builder);  // it throws where that fails
    return std::move(builder).result();
}

}  // namespace sluice::pipeline
